// RUN: %clang-plugin -fplugin-arg-cudaopt-passes=bank-layout -fplugin-arg-cudaopt-o=%t.cu %s
// RUN: FileCheck %s < %t.cu
// RUN: %cuda-opt -o %t.tool.cu %s -- %cuda-flags
// RUN: cmp %t.cu %t.tool.cu
//
// The plugin writes what it has clang compile, which is what the tool writes.
//
// CHECK: {{^ +}}__shared__ float tile[32][32 + 1];

#include "cuda.h"

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
