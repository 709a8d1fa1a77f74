// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes %s -o %t.cu -- %cuda-flags
// RUN: grep -v "//" %t.cu | FileCheck %s
//
// Two pointers into one array, both used in the body of an `if`: the check of
// the code finds both uses in what the plan says of the whole branch.
#include "cuda.h"

// CHECK: __shared__ union {
static __global__ void pointers(float *out, int *numbers, const float *in) {
  __shared__ float a[1024];
  __shared__ float b[256];
  const int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[t + 256];
  __syncthreads();
  const float m = a[255 - t] + b[255 - t];
  __syncthreads();
  float *scores = (float *)a;
  int *indices = (int *)&scores[256];
  if (t < 128) {
    scores[t] = m;
    indices[t] = t;
  }
  __syncthreads();
  if (t == 0) {
    out[0] = scores[t + 1];
    numbers[0] = indices[t + 1];
  }
}

void launch(float *out, int *numbers, const float *in) {
  pointers<<<1, 256>>>(out, numbers, in);
}
