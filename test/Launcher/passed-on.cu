// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: echo 'int f();' > plain.cu
// RUN: %cuda-opt ./nvcc %parse-flags -c plain.cu -o p.o 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: %cuda-opt --layout=keep --reuse=off ./nvcc %parse-flags -c transpose.cu -o k.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: %cuda-opt ./nvcc --version 2>&1 | FileCheck --check-prefix=VERSION %s
// RUN: %cuda-opt ./nvcc -E transpose.cu 2>&1 | FileCheck --check-prefix=PREPROCESS %s
// RUN: %cuda-opt ./nvcc a.o b.o -o prog.cu 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: %cuda-opt ./nvcc -dlink a.o -- b.o 2>&1 | FileCheck --check-prefix=DASHES %s
// RUN: %cuda-opt ./nvcc -c transpose.cu plain.cu 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: env CUDAOPT_DISABLE=1 %cuda-opt ./nvcc %parse-flags -c transpose.cu -o d.o 2>&1 | FileCheck --check-prefix=DISABLED %s
// RUN: find . -name '*.cuda-opt' | count 0
//
// What is no compilation of one CUDA source, and a source that does not change,
// reaches the compiler as it was written, without a word of ours.
//
// PLAIN-NOT: {{.}}
// PLAIN: {{^}}nvcc {{.*}}-c plain.cu -o p.o
// PLAIN-NOT: {{.}}
// KEPT-NOT: {{.}}
// KEPT: {{^}}nvcc {{.*}}-c transpose.cu -o k.o
// KEPT-NOT: {{.}}
// VERSION: {{^}}nvcc --version
// PREPROCESS: {{^}}nvcc -E transpose.cu
// LINK: {{^}}nvcc a.o b.o -o prog.cu
// DASHES: {{^}}nvcc -dlink a.o -- b.o
// TWO: {{^}}nvcc -c transpose.cu plain.cu
// DISABLED: {{^}}nvcc {{.*}}-c transpose.cu -o d.o
