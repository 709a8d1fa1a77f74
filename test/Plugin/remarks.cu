// RUN: %clang-plugin -Rpass -fplugin-arg-cudaopt-quiet %s 2>&1 | FileCheck %s
// RUN: %clang-plugin -fplugin-arg-cudaopt-report=json:%t.json -fplugin-arg-cudaopt-quiet %s 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: %clang-plugin -fplugin-arg-cudaopt-diff %s | FileCheck %s --check-prefix=DIFF
//
// Remarks, reports and diffs are the tool's, on the lines of the user.
//
// CHECK: remarks.cu:[[#@LINE+8]]:20: remark: shared array 'tile' is stored as
// CHECK-NOT: remark
// REPORT: "name": "tile"
// DIFF: +  __shared__ float tile[32][32 + 1];

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
