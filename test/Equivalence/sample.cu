// RUN: %cuda-opt --assume-closed-world --verify=machine -Rpass=verify %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
//
// Of a launch of which only some blocks are run, nothing is said for all data.

#include "cuda.h"

// CHECK-NOT: for all data
// CHECK: remark: rewrite of kernel 'transpose' verified: equal in a sample of the blocks at <<<(1000000,1,1),(32,32,1)>>> ({{[0-9]+}} of 1000000 blocks)
// CHECK-NOT: for all data
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  int First = blockIdx.x * 1024;
  tile[threadIdx.y][threadIdx.x] = In[First + threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[First + threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1000000, dim3(32, 32)>>>(Out, In);
}
