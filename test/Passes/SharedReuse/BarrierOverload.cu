// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes %s -o %t.cu -- %cuda-flags
// RUN: grep -v "//" %t.cu | FileCheck %s
//
// A function of the user's that has the barrier's name is no barrier.
#include "cuda.h"

__device__ void __syncthreads(int) {}

// CHECK-LABEL: void overload
// CHECK-NOT: union
static __global__ void overload(float *out, const float *in) {
  __shared__ float a[256];
  __shared__ float b[256];
  const int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  const float x = a[255 - t];
  __syncthreads(1);
  b[t] = in[t] + 1;
  __syncthreads();
  out[t] = b[255 - t] + x;
}

// CHECK-LABEL: void barrier
// CHECK: union
static __global__ void barrier(float *out, const float *in) {
  __shared__ float a[256];
  __shared__ float b[256];
  const int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  const float x = a[255 - t];
  __syncthreads();
  b[t] = in[t] + 1;
  __syncthreads();
  out[t] = b[255 - t] + x;
}

void launch(float *out, const float *in) {
  overload<<<1, 256>>>(out, in);
  barrier<<<1, 256>>>(out, in);
}
