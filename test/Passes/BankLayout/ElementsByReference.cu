// RUN: %cuda-opt --passes=bank-layout --verify=machine %s -o %t.cu -- %cuda-flags
// RUN: grep -v '//' %t.cu | FileCheck %s
//
// Functions that get elements by reference or by address use them as often as
// they like; the check of the code finds their uses to be the plan's.
#include "cuda.h"

__device__ void order(float &a, float &b) {
  if (a > b) {
    const float t = a;
    a = b;
    b = t;
  }
}
__device__ float twice(const float &a) { return a + a; }
__device__ void lower(float *a, float b) {
  if (*a > b)
    *a = b;
}

// CHECK: __shared__ float s[32][32 + 1];
static __global__ void ordered(const float *in, float *out) {
  __shared__ float s[32][32];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  if (threadIdx.y < 16)
    order(s[threadIdx.x][threadIdx.y], s[threadIdx.x][threadIdx.y + 16]);
  __syncthreads();
  lower(&s[threadIdx.x][threadIdx.y], 2);
  out[threadIdx.y * 32 + threadIdx.x] = twice(s[threadIdx.x][threadIdx.y]);
}

void launch(const float *in, float *out) {
  ordered<<<4, dim3(32, 32)>>>(in, out);
}
