// RUN: %cuda-opt --reuse=bytes %s -o %t.cu -- %cuda-flags
// RUN: grep -v "//" %t.cu | FileCheck %s
//
// The check of the code that clang makes knows each place at which a step accesses
// a variable or leaves the kernel, not only the first.

#include "cuda.h"

// The return is behind the last access of its step.
// CHECK-LABEL: void returns(
// CHECK: __shared__ union
__global__ void returns(float *out, const float *in, int n) {
  __shared__ float first[32];
  __shared__ float second[32];
  const int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  const float x = first[31 - t];
  __syncthreads();
  if (n != 14) {
    if (n < -3)
      __syncthreads();
    out[t] = x;
    return;
  }
  second[t] = x;
  __syncthreads();
  out[t] = second[31 - t];
}

struct Part {
  char n;
  struct {
    float v[4];
  } in;
};

// A step writes the whole of `parts` at two places.
// CHECK-LABEL: void writes(
// CHECK: __shared__ union
__global__ void writes(float *out, const float *in) {
  __shared__ Part parts[32];
  __shared__ float last[128];
  const int t = threadIdx.x;
  if (t < 32) {
    parts[t] = {};
    parts[t].n = t;
    parts[t].in.v[t % 3] = in[t];
  }
  __syncthreads();
  const float x = parts[(t + 5) % 32].in.v[t % 3];
  __syncthreads();
  last[t] = x;
  __syncthreads();
  out[t] = last[127 - t];
}

void launch(float *out, const float *in, int n) {
  returns<<<1, 32>>>(out, in, n);
  writes<<<1, 128>>>(out, in);
}
