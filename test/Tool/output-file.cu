// RUN: rm -rf %t && mkdir %t
// RUN: %cuda-opt -o %t/out.cu %s -- %cuda-flags > %t/stdout
// RUN: FileCheck %s < %t/out.cu
// RUN: count 0 < %t/stdout
// RUN: %cuda-opt -o %t/same.cu %t/out.cu -- %cuda-flags
// RUN: cmp %t/out.cu %t/same.cu
//
// -o takes the source, changed or not.
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
