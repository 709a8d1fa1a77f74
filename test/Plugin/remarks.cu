// RUN: %clang-plugin -Rpass %s 2>&1 | FileCheck %s
// RUN: %clang-plugin -fplugin-arg-cudaopt-report=json:%t.json %s 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
//
// Without an output the plugin only reports.
//
// CHECK: remark: shared array 'tile' is stored as
// REPORT: "name": "tile"

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
