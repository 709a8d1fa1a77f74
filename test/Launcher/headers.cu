// RUN: rm -rf %t && split-file %s %t && cd %t && cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %cuda-opt ./nvcc %parse-flags -I include --keep -c main.cu -o a.o -MD -MF a.d > log 2>&1
// RUN: FileCheck --check-prefix=LOG --input-file=log %s
// RUN: cat a.o.cuda-opt/main.cu a.o.cuda-opt/*.util.h a.o.cuda-opt/*.tile.h | FileCheck %s
// RUN: ls a.o.cuda-opt | count 3
//
// A header that changes, and those that include it, get copies beside the source's;
// each names the copies of the others. What lay beside a header is still found.
//
// LOG: 2 kernels, 2 arrays rewritten, 0 kept
// CHECK: #line 1 "main.cu"
// CHECK: #include "{{[12]}}.util.h"
// CHECK: #include "plain.h"
// CHECK: float tile[32][32 + 1];
// CHECK: #line 1 "sub/util.h"
// CHECK-NEXT: #pragma once
// CHECK-NEXT: #include "{{[12]}}.tile.h"
// CHECK-NEXT: #  include /* beside */ "{{.*}}/sub/beside.h"
// CHECK: #line 1 "sub/tile.h"
// CHECK: float tile[32][32 + 1];

// The same again leaves all as it is; a header without shared arrays has no copy.
// RUN: touch -d 2001-01-01 a.o.cuda-opt/* a.o.cuda-opt/.made-by-cuda-opt
// RUN: %cuda-opt ./nvcc %parse-flags -I include --keep -c main.cu -o a.o
// RUN: find a.o.cuda-opt -newermt 2002-01-01 -type f | count 0
// RUN: sed -i s/__shared__// sub/tile.h
// RUN: %cuda-opt ./nvcc %parse-flags -I include --keep -c main.cu -o a.o
// RUN: ls a.o.cuda-opt | count 1

//--- main.cu
#include "cuda.h"
#include "sub/util.h"
#include "plain.h"
__global__ void own(float *x, int y) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *x) {
  own<<<1, dim3(32, 32)>>>(x, 0);
  included<<<1, dim3(32, 32)>>>(x);
}

//--- include/plain.h
//--- sub/util.h
#pragma once
#include "tile.h"
#  include /* beside */ "beside.h"

//--- sub/beside.h
//--- sub/tile.h
#pragma once
static __global__ void included(float *x) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}
