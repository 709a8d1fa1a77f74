// RUN: %clang-plugin --cuda-gpu-arch=sm_80 -fplugin-arg-cudaopt-check -fplugin-arg-cudaopt-arch=sm_80 %s | FileCheck %s
// RUN: %clang-host-plugin -fplugin-arg-cudaopt-check %s | count 0
//
// A compilation parses the file once for the host and once per GPU; the plugin
// runs for the GPU that it is told, and never for the host.
//
// CHECK: would change
// CHECK-NOT: would change

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
