// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt %t/a.cu -o %t/new.cu -Rpass-missed=bank-layout -- %cuda-flags 2>&1 | FileCheck %t/a.cu
// RUN: %cuda-opt %t/a.cu --output-dir=%t/out --header-filter=.* --assume-closed-world -Rpass-missed=bank-layout -- %cuda-flags 2>&1 | FileCheck %t/a.cu
// RUN: cp -r %t %t.before
// RUN: %cuda-opt -i %t/a.cu --header-filter=.* --assume-closed-world -Rpass-missed=bank-layout -- %cuda-flags 2>&1 | FileCheck %t/a.cu
// RUN: diff -r %t.before %t
// RUN: %cuda-opt explain function-in-header | FileCheck %s --check-prefix=ADVICE
// RUN: rm -rf %t.before
//
// No option makes cuda-opt edit a function of a header that other files may call, and
// the advice does not say that one does.

// ADVICE: what to change:
// ADVICE-NEXT: Nothing helps yet, as long as the function stays in the included file

//--- a.cu
#include "cuda.h"
#include "column.cuh"
// CHECK-DAG: remark: shared array 'tile' keeps its layout: it is used in function 'column' of an included file
__global__ void k(float *out) {
  __shared__ float tile[32][32];
  column(tile);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1][0];
}
// CHECK-DAG: remark: shared array 'own' keeps its layout: it is used in function 'declare' of an included file
__global__ void k2(float *out) { out[threadIdx.x] = declare<32>(); }
void run(float *out) {
  k<<<1, 32>>>(out);
  k2<<<1, 32>>>(out);
}

//--- column.cuh
#pragma once
__device__ inline void column(float (*t)[32]) { t[threadIdx.x][0] = 1; }
template <int N> __device__ float declare() {
  __shared__ float own[N][N];
  own[threadIdx.x][0] = 1;
  __syncthreads();
  return own[threadIdx.x ^ 1][0];
}
