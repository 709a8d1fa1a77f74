// RUN: %cuda-opt --layout=T %s -Rpass-missed=.* -o %t -- %cuda-flags 2>&1 | FileCheck %s
// RUN: cmp %s %t
//
// The extents do not stand side by side.

#include "cuda.h"

__global__ void k(float *out) {
  // CHECK: [[#@LINE+1]]:21: remark: shared array 'tile' keeps its layout: {{.*}}the declaration cannot be edited
  __shared__ float (tile[32])[32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *out) { k<<<1, dim3(32, 32)>>>(out); }
