// RUN: cp %s %t.cu
// RUN: %cuda-opt --diff %t.cu -- %cuda-flags > %t.diff
// RUN: FileCheck %s < %t.diff
// RUN: cmp %s %t.cu
// RUN: %cuda-opt -o %t.new %t.cu -- %cuda-flags
// RUN: patch -s -o %t.patched %t.cu %t.diff
// RUN: cmp %t.new %t.patched
// RUN: %exits 1 %cuda-opt --diff --check %t.cu -- %cuda-flags | FileCheck %s
//
// --diff prints what patch(1) needs to make the new source, and writes nothing.
//
// CHECK: --- a/{{.*}}.cu
// CHECK-NEXT: +++ b/{{.*}}.cu
// CHECK: {{^}}-  __shared__ float tile[32][32];
// CHECK: {{^}}+  __shared__ float tile[32][32 + 1];

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
