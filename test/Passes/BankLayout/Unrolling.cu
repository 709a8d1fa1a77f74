// RUN: %cuda-opt --passes=bank-layout --verify=machine %s -- %cuda-flags | grep -v '//' | FileCheck %s
//
// Loops that the compiler unrolls all or not at all stay unrolled when their
// subscripts get longer.

#include "cuda.h"

// The inner trip count is a constant only once the outer loop is unrolled.
// CHECK-LABEL: void nest(
// CHECK: {{^}}  #pragma unroll
// CHECK-NEXT: for (int size
// CHECK: {{^}}    #pragma unroll
// CHECK-NEXT: for (int stride
// CHECK: keys[pos ^ (pos >> 5 & 1) * 31]
__global__ void nest(unsigned *out, const unsigned *in) {
  __shared__ unsigned keys[1024];
  int tx = threadIdx.x;
  keys[tx] = in[tx];
  keys[tx + 512] = in[tx + 512];
  for (int size = 2; size <= 1024; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int pos = 2 * tx - (tx & (stride - 1));
      unsigned a = keys[pos], b = keys[pos + stride];
      keys[pos] = a < b ? a : b;
      keys[pos + stride] = a < b ? b : a;
    }
  }
  __syncthreads();
  out[tx] = keys[tx];
  out[tx + 512] = keys[tx + 512];
}

// What the author says of a loop stands.
// CHECK-LABEL: void asked(
// CHECK-NOT: #pragma unroll{{$}}
// CHECK: #pragma unroll 1
__global__ void asked(unsigned *out, const unsigned *in) {
  __shared__ unsigned keys[1024];
  int tx = threadIdx.x;
  keys[tx] = in[tx];
  keys[tx + 512] = in[tx + 512];
#pragma unroll 1
  for (int size = 2; size <= 1024; size *= 2) {
#pragma unroll 1
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int pos = 2 * tx - (tx & (stride - 1));
      unsigned a = keys[pos], b = keys[pos + stride];
      keys[pos] = a < b ? a : b;
      keys[pos + stride] = a < b ? b : a;
    }
  }
  __syncthreads();
  out[tx] = keys[tx];
  out[tx + 512] = keys[tx + 512];
}

void launch(unsigned *out, const unsigned *in) {
  nest<<<1, 512>>>(out, in);
  asked<<<1, 512>>>(out, in);
}
