// RUN: %cuda-opt --verify=machine --layout=linear %s -- %cuda-flags | grep -v '//' | FileCheck %s
//
// A subscript that is constant in each instance of a template is not the same
// constant in all: its text is not folded.

#include "cuda.h"

// CHECK-LABEL: void scan(
// CHECK: temp[(N - 1) ^
template <int N> __global__ void scan(int *out, const int *in) {
  __shared__ int temp[N];
  int tx = threadIdx.x, offset = 1;
  temp[2 * tx] = in[2 * tx];
  temp[2 * tx + 1] = in[2 * tx + 1];
  for (int d = N >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (tx < d)
      temp[offset * (2 * tx + 2) - 1] += temp[offset * (2 * tx + 1) - 1];
    offset *= 2;
  }
  __syncthreads();
  if (tx == 0)
    temp[N - 1] = 0;
  __syncthreads();
  out[2 * tx] = temp[2 * tx];
  out[2 * tx + 1] = temp[2 * tx + 1];
}

void launch(int *out, const int *in) {
  scan<128><<<1, 64>>>(out, in);
  scan<1024><<<1, 512>>>(out, in);
}
