// RUN: %cuda-opt --passes=shared-reuse --print=analysis %s -- %cuda-flags | FileCheck %s
//
// What each barrier interval of a kernel does to its shared variables, by lines of
// the source; nothing for one variable, and for functions that are no kernels.
#include "cuda.h"

// CHECK-LABEL: live ranges phases block 64x1x1
// CHECK-NEXT: lines  first 256  second 256  third 256
// CHECK-NEXT: {{^ *}}[[#@LINE + 10]] w . .
// CHECK-NEXT: {{^ *}}[[#@LINE + 11]] r w .
// CHECK-NEXT: {{^ *}}[[#@LINE + 12]] . r w
// CHECK-NEXT: {{^ *}}[[#@LINE + 13]] . . r
// CHECK-NEXT: may share: first third
__global__ void phases(float *out) {
  __shared__ float first[64];
  __shared__ float second[64];
  __shared__ float third[64];
  int t = threadIdx.x;
  first[t] = out[t];
  __syncthreads();
  second[t] = first[63 - t];
  __syncthreads();
  third[t] = second[t ^ 1];
  __syncthreads();
  out[t] = third[t ^ 2];
}

// CHECK-NOT: live ranges one
__global__ void one(float *out) {
  __shared__ float only[64];
  only[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = only[63 - threadIdx.x];
}

// CHECK-NOT: live ranges callee
__device__ float callee(float x) {
  __shared__ float left[64];
  __shared__ float right[64];
  left[threadIdx.x] = right[threadIdx.x] = x;
  return left[threadIdx.x] + right[threadIdx.x];
}

// A block of a size that is not known; a variable that may share with nothing.
// CHECK-LABEL: live ranges bounded block of up to 128 threads
// CHECK-NEXT: lines {{.*}}given 256! {{.*}}last 256
// CHECK: ! given shares with nothing:
// CHECK-NEXT: no two may share bytes
__device__ void take(float *given);
__global__ __launch_bounds__(128) void bounded(float *out) {
  __shared__ float given[64];
  __shared__ float last[64];
  take(given);
  __syncthreads();
  last[threadIdx.x % 64] = 1;
  __syncthreads();
  out[threadIdx.x] = last[63 - threadIdx.x % 64];
}

void launch(float *out) {
  phases<<<1, 64>>>(out);
  one<<<1, 64>>>(out);
}
