// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc && ln -s %cuda-opt cuda-opt-nvcc
// RUN: sh -c 'PATH=$PWD:$PATH ./cuda-opt-nvcc %parse-flags -c transpose.cu -o a.o' 2>&1 | FileCheck %s
// RUN: env CUDAOPT_FLAGS=--layout=xor %cuda-opt ./nvcc %parse-flags -c transpose.cu -o b.o && FileCheck --check-prefix=XOR --input-file=b.o %s
// RUN: %exits 2 env CUDAOPT_FLAGS="a.cu" %cuda-opt ./nvcc -c transpose.cu 2>&1 | FileCheck --check-prefix=FILE %s
// RUN: %exits 2 env CUDAOPT_FLAGS=-i %cuda-opt ./nvcc -c transpose.cu 2>&1 | FileCheck --check-prefix=IN-PLACE %s
// RUN: env CUDAOPT_FLAGS=--layout=pad %cuda-opt --layout=xor ./nvcc %parse-flags -c transpose.cu -o c.o && FileCheck --check-prefix=XOR --input-file=c.o %s
// RUN: %exits 2 %cuda-opt -i ./nvcc -c transpose.cu 2>&1 | FileCheck --check-prefix=IN-PLACE %s
// RUN: %exits 2 %cuda-opt --fallback=x ./nvcc -c transpose.cu 2>&1 | FileCheck --check-prefix=UNKNOWN %s
//
// Options stand before the compiler, or in the environment; cuda-opt-nvcc is both
// words in one.
//
// CHECK: {{^}}nvcc {{.*}}-c a.o.cuda-opt/transpose.cu
// XOR: threadIdx.x ^ threadIdx.y
// FILE: cuda-opt: error: in CUDAOPT_FLAGS: only options may stand there
// IN-PLACE: cuda-opt: error: '-i' is not for launching './nvcc'
// UNKNOWN: cuda-opt: error: unknown choice in --fallback=x (known: warn, silent, error)
