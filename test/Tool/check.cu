// RUN: rm -rf %t && mkdir %t && cp %s %t/x.cu && echo 'int unchanged;' > %t/y.cu
// RUN: %exits 1 %cuda-opt --check %t/x.cu %t/y.cu -- %cuda-flags | FileCheck %s
// RUN: cmp %s %t/x.cu
// RUN: %cuda-opt --check %t/y.cu -- %cuda-flags | count 0
//
// --check names the files that would change, and says so by its exit code.
//
// CHECK: would change {{.*}}x.cu
// CHECK-NOT: {{.}}

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
