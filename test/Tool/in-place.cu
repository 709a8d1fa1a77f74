// RUN: rm -rf %t && mkdir %t && cp %s %t/x.cu && cp %t/x.cu %t/y.cu
// RUN: %cuda-opt -i %t/x.cu %t/y.cu -- %cuda-flags | count 0
// RUN: FileCheck %s < %t/x.cu
// RUN: cmp %t/x.cu %t/y.cu
// RUN: %cuda-opt --check %t/x.cu -- %cuda-flags
//
// -i edits the files where they are; a second run finds nothing to do.
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
