// RUN: %cuda-opt --verify=machine -Rpass=.* --report=json:%t.json %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: grep 'tile\[32\]\[32 + 1\]' %t.cu
//
// Where data decide what happens, no proof holds for all data: numbers are
// tried.
//
// CHECK: remark: rewrite of kernel 'clip' verified: equal on 4 inputs in 2 orders of warps at <<<(1,1,1),(32,32,1)>>> [-Rpass]
// JSON: "verify": "machine: EqualOn"

#include "cuda.h"

__global__ void clip(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  if (tile[threadIdx.x][threadIdx.y] > 0)
    Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, float *In) { clip<<<1, dim3(32, 32)>>>(Out, In); }
