// RUN: %cuda-opt --verify=machine %s -- %cuda-flags | grep -v '//' | FileCheck %s
//
// A kernel that is broken does not keep others from being rewritten.

#include "cuda.h"

// CHECK-LABEL: void race(
// CHECK: tile[32][32];
__global__ void race(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// CHECK-LABEL: void right(
// CHECK: tile[32][32 + 1];
__global__ void right(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void launch(float *Out, float *In) {
  race<<<1, dim3(32, 32)>>>(Out, In);
  right<<<1, dim3(32, 32)>>>(Out, In);
}
