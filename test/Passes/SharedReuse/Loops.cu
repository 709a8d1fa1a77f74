// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
//
// What a loop carries round stays alive; what each iteration writes anew does not.
#include "cuda.h"

// CHECK-LABEL: plan carried
// CHECK-NOT: storage (
// CHECK: keep storage: no two of its shared variables
__global__ void carried(float *out, int n) {
  __shared__ float sum[64];
  __shared__ float part[64];
  int t = threadIdx.x;
  sum[t] = 0;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    part[t] = out[i * 64 + t];
    __syncthreads();
    sum[t] += part[63 - t];
    __syncthreads();
  }
  out[t] = sum[63 - t];
}

// CHECK-LABEL: plan written_anew
// CHECK: storage ({{left [|] right|right [|] left}}): bytes 512 -> 256
__global__ void written_anew(float *out, int n) {
  __shared__ float left[64];
  __shared__ float right[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    left[t] = out[i * 64 + t];
    __syncthreads();
    float x = left[63 - t];
    __syncthreads();
    right[t] = x;
    __syncthreads();
    out[i * 64 + t] = right[t ^ 1];
    __syncthreads();
  }
}

// Only half of the threads write: the other half of the array is still alive.
// CHECK-LABEL: plan half_written
// CHECK: keep storage: no two of its shared variables
__global__ void half_written(float *out, int n) {
  __shared__ float left[64];
  __shared__ float right[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (t < 32 || i == 0)
      left[t] = out[i * 64 + t];
    __syncthreads();
    float x = left[63 - t];
    __syncthreads();
    right[t] = x;
    __syncthreads();
    out[i * 64 + t] = right[t ^ 1];
    __syncthreads();
  }
}

// The last barrier is missing: the next iteration's writes meet these reads.
// CHECK-LABEL: plan no_barrier_round
// CHECK: keep storage: no two of its shared variables
__global__ void no_barrier_round(float *out, int n) {
  __shared__ float left[64];
  __shared__ float right[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    left[t] = out[i * 64 + t];
    __syncthreads();
    float x = left[63 - t];
    __syncthreads();
    right[t] = x;
    __syncthreads();
    out[i * 64 + t] = right[t ^ 1];
  }
}

void launch(float *out, int n) {
  carried<<<1, 64>>>(out, n);
  written_anew<<<1, 64>>>(out, n);
  half_written<<<1, 64>>>(out, n);
  no_barrier_round<<<1, 64>>>(out, n);
}
