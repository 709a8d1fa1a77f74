// RUN: rm -rf %t && mkdir -p "%t/s p" && cp %S/../Inputs/launcher/* "%t/s p" && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %cuda-opt ./nvcc %parse-flags -c "s p/transpose.cu" -o a.o -MD -MF a.d 2> log | FileCheck %s
// RUN: FileCheck --check-prefix=SOURCE --input-file=a.o %s
// RUN: FileCheck --check-prefix=DEPENDENCIES --input-file=a.d %s
// RUN: FileCheck --check-prefix=LOG --input-file=log %s
//
// The compiler gets the rewritten text, beside the product, and the folder of the
// original for the headers in quotes. Messages and dependencies name the original.
//
// CHECK: nvcc {{.*}} -c a.o.cuda-opt/transpose.cu -Xcompiler=-iquote,"{{.*}}/s p" -o a.o -MD -MF a.d
// SOURCE: #line 1 "s p/transpose.cu"
// SOURCE: float tile[TILE][TILE + 1];
// DEPENDENCIES: a.o : s\ p/transpose.cu \
// DEPENDENCIES-NOT: cuda-opt
// LOG: s p/transpose.cu: 1 kernel, 1 array rewritten, 0 kept

// The text goes when the compiler has read it, and stays where nvcc keeps what lies
// between source and product. The same again: nothing is written anew.
// RUN: not ls a.o.cuda-opt
// RUN: %cuda-opt ./nvcc %parse-flags --keep -c "s p/transpose.cu" -o a.o
// RUN: touch -d 2001-01-01 a.o.cuda-opt/transpose.cu
// RUN: %cuda-opt ./nvcc %parse-flags --keep -c "s p/transpose.cu" -o a.o > %t/again 2>&1
// RUN: find a.o.cuda-opt -newermt 2002-01-01 -name '*.cu' | count 0
