// RUN: %clang-plugin --cuda-gpu-arch=sm_80 %s 2>&1 | FileCheck %s
// RUN: %clang-host-plugin -fplugin-arg-cudaopt-check %s | count 0
// RUN: %clang-plugin --cuda-gpu-arch=sm_80 -DDIFFERENT %s 2>&1 | FileCheck %s --check-prefix=DIFFERENT
// RUN: env CUDAOPT_CACHE_DIR=%t.cache %clang-plugin --cuda-gpu-arch=sm_80 -DDIFFERENT %s 2>&1 | FileCheck %s --check-prefix=ONCE
//
// A compilation parses the file once for the host and once per GPU. All GPUs
// must agree, and the user hears of it from the first one only; with a cache,
// the others do not even ask.
//
// CHECK: architectures.cu: 1 kernel, 1 array rewritten
// CHECK-NOT: array
// DIFFERENT-COUNT-2: warning: {{.*}} the rewrites for sm_80 and sm_90 differ; compiling the original
// ONCE: warning: {{.*}} the rewrites for sm_80 and sm_90 differ; compiling the original
// ONCE-NOT: warning:

#include "cuda.h"

#if defined(DIFFERENT) && __CUDA_ARCH__ == 800
#define WIDTH 33
#else
#define WIDTH 32
#endif

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][WIDTH];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
