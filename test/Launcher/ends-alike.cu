// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %exits 7 %cuda-opt ./nvcc %parse-flags -DEXIT=7 -c transpose.cu -o a.o
// RUN: %exits 7 %cuda-opt --layout=keep ./nvcc %parse-flags -DEXIT=7 -c transpose.cu -o a.o
// RUN: %exits -11 %cuda-opt ./nvcc %parse-flags -DSIGNAL=11 -c transpose.cu -o a.o
// RUN: rm nvcc
// RUN: %exits 127 %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o 2>&1 | FileCheck %s
//
// The exit code is the compiler's, and so is the signal that ends it.
//
// CHECK: cuda-opt: error: cannot run './nvcc': No such file or directory
