// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* --assume-closed-world arch.cu -o arch.out -- %cuda-flags 2>&1 | FileCheck arch.cu
// RUN: diff arch.cu arch.out
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* --assume-closed-world constant.cu -o constant.out -- %cuda-flags 2>&1 | FileCheck constant.cu
// RUN: diff constant.cu constant.out
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* --assume-closed-world alias.cu -o alias.out -- %cuda-flags 2>&1 | FileCheck alias.cu
// RUN: diff alias.cu alias.out
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* --assume-closed-world double.cu -o double.out -- %cuda-flags 2>&1 | FileCheck double.cu
// RUN: diff double.cu double.out
// RUN: %cuda-opt --passes=shared-reuse --assume-closed-world device.cu -o device.out -- %cuda-flags
// RUN: FileCheck --input-file=device.out device.cu
//
// Host code has other text, other numbers and other names than those that a
// parse for the device shows.

//--- arch.cu
// CHECK: the host may launch 'k' otherwise
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) {
  k<<<1, 64>>>(o);
#ifndef __CUDA_ARCH__
  k<<<1, 128>>>(o);
#endif
}
//--- constant.cu
// CHECK: the host may launch 'k' otherwise
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
constexpr __host__ __device__ int size() {
#ifdef __CUDA_ARCH__
  return 64;
#else
  return 128;
#endif
}
void launch(float *o) { k<<<1, size()>>>(o); }
//--- alias.cu
// CHECK: the host may launch 'k' otherwise
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void other(float *o) __asm__("_Z1kPf");
void launch(float *o) { k<<<1, 64>>>(o); }
//--- double.cu
// CHECK: the host may launch 'k' otherwise
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
struct L {
  long double d;
};
void launch(float *o) { k<<<1, sizeof(L) * 8>>>(o); }
//--- device.cu
// CHECK: __shared__ float part[64];
#include "cuda.h"
__device__ float twice(float x) {
#if __CUDA_ARCH__ >= 800
  return x + x;
#else
  return 2 * x;
#endif
}
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = twice(o[threadIdx.x]);
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
void launch(float *o) { k<<<1, 64>>>(o); }
