// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && cp %S/../Inputs/timed-program.py run.py
// RUN: echo 'import os; f = open(os.environ["CUDAOPT_TIMES"], "a"); t = open("app").read(); f.write("energy\t" + ("50" if "^" in t else "60" if "TILE + 1" in t else "40") + "000\t900000000\n")' > energy.py
// RUN: echo '%python run.py app "TILE + 1=600" "^=500" && %python energy.py' > run.sh
// RUN: %cuda-opt tune --objective=energy --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- sh run.sh 2>&1 | FileCheck --check-prefix=ENERGY %s
// RUN: grep -x 'Layout: \[auto, transpose=keep\]' .cuda-opt && rm .cuda-opt
// RUN: %cuda-opt tune --objective=edp --timer=program --product=app ./nvcc %parse-flags transpose.cu -o app -- sh run.sh 2>&1 | FileCheck --check-prefix=PRODUCT %s
// RUN: grep -x 'Layout: \[auto, transpose=xor\]' .cuda-opt
//
// The least energy of a run is another choice than the least time; the product of both
// is a third objective.
//
// ENERGY: all kernels of a run:
// ENERGY-NEXT: median of default spread energy
// ENERGY-NEXT: default 0.60 us 1.000 0.0 % 60.0 J
// ENERGY-NEXT: original 1.00 us 1.667 0.0 % 40.0 J
// ENERGY-NEXT: layout=xor 0.50 us 0.833 0.0 % 50.0 J
// ENERGY: original {{.*}} best
// PRODUCT: layout=xor {{.*}} best
