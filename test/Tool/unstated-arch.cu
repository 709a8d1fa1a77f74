// RUN: rm -rf %t && mkdir %t
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* %s -o %t/none.cu -- %parse-flags 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: diff %s %t/none.cu
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* %s -o %t/all.cu -- %parse-flags -arch=all-major 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: diff %s %t/all.cu
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* --arch=sm_90 %s -o %t/other.cu -- %parse-flags -arch=sm_80 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %cuda-opt --passes=shared-reuse %s -o %t/90.cu -- %parse-flags -arch=sm_90
// RUN: FileCheck --check-prefix=GPU --input-file=%t/90.cu %s
// RUN: %cuda-opt --passes=shared-reuse --arch=sm_90 %s -o %t/asked.cu -- %parse-flags
// RUN: FileCheck --check-prefix=GPU --input-file=%t/asked.cu %s
//
// Nobody says which GPU it is for, and nvcc has a default of its own.
//
// NONE: the build may compile other text than what was parsed: it asks for '__CUDA_ARCH__' (unstated-arch.cu:[[#@LINE+5]]), and the command does not say which GPU
// GPU: __shared__ float part[64];
#include "cuda.h"

static __global__ void k(float *o) {
#if __CUDA_ARCH__ >= 800
  constexpr int N = 64;
#else
  constexpr int N = 128;
#endif
  __shared__ float part[8192];
  part[threadIdx.x * N / 64] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[(63 - threadIdx.x) * N / 64] * 2;
}
void launch(float *o) { k<<<1, 64>>>(o); }
