// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path %s 2>%t.err | FileCheck %s
// RUN: not grep warning: %t.err
// RUN: %exits 3 %cuda-opt --cuda-path=%t.none %s 2>&1 | FileCheck %s --check-prefix=NONE
//
// With a toolkit, a program sees what nvcc gives it without an include: the
// runtime, min and max for the host, cache hints, nvcc's macros, CCCL.
//
// NONE: cuda-opt: error: no CUDA Toolkit at '{{.*}}.none'

#include <cuda/std/array>
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ * 1000 != CUDART_VERSION / 1000 * 1000
#error nvcc is not recognised
#endif

__global__ void transpose(float *Out, const float *In) {
  // CHECK: {{^ +}}__shared__ float tile[32][32 + 1];
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  __stcs(Out + threadIdx.y * 32 + threadIdx.x, tile[threadIdx.x][threadIdx.y]);
}

int main() {
  float *Memory;
  cudaMalloc(&Memory, max(8u, 2) * sizeof(float));
  double Ratio = min(1.0f, 2.0);
  transpose<<<1, dim3(32, 32)>>>(Memory, Memory);
  return isfinite(Ratio) ? printf("%f\n", Ratio) : abs(-1);
}
