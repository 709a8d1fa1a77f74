// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %cuda-opt ./nvcc %parse-flags transpose.cu -o app 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: FileCheck --check-prefix=APP --input-file=app %s
// RUN: %cuda-opt ./nvcc %parse-flags a.o transpose.cu -lcurand libb.a -o app2 2>&1 | FileCheck --check-prefix=OBJECTS %s
// RUN: FileCheck --check-prefix=APP --input-file=app2 %s
// RUN: cp transpose.cu other.cu && %cuda-opt ./nvcc %parse-flags transpose.cu other.cu -o app3 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: mkdir out && %cuda-opt ./nvcc %parse-flags -c transpose.cu -odir out 2>&1 | FileCheck --check-prefix=FOLDER %s
// RUN: cp nvcc clang++ && %cuda-opt ./clang++ %parse-flags -### transpose.cu 2>&1 | FileCheck --check-prefix=PRINTED %s
// RUN: find . -name '*.cuda-opt' | count 0
//
// A command that compiles one source and links it at once is rewritten, too.
//
// ONE: transpose.cu: 1 kernel, 1 array rewritten, 0 kept
// ONE: nvcc {{.*}} app.cuda-opt/transpose.cu {{.*}}-o app
// APP: tile[TILE][TILE + 1]
// OBJECTS: nvcc {{.*}} a.o app2.cuda-opt/transpose.cu {{.*}}-lcurand libb.a -o app2
// FOLDER: nvcc {{.*}} -c out/transpose.o.cuda-opt/transpose.cu
// PRINTED-NOT: rewritten
// PRINTED: nvcc {{.*}} -### transpose.cu
// TWO-NOT: rewritten
// TWO: nvcc {{.*}} transpose.cu other.cu -o app3
