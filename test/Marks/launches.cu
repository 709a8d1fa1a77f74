// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s
//
// What one kernel needs in text that is marked, its launch, is no reason to keep
// another one.
#include "cuda.h"

// CHECK-LABEL: plan large
// CHECK: keep storage: it is marked to be left alone: 'cuda-opt off'
__global__ void large(float *out) {
  __shared__ float only[256][64];
  int t = threadIdx.x;
  for (int r = 0; r < 256; r++)
    only[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 256; r++)
    out[r * 64 + t] = only[r][63 - t];
}

// CHECK-LABEL: plan shared
// CHECK: storage (first | second): bytes
__global__ void shared(float *out, const float *in) {
  __shared__ float first[64][64];
  __shared__ float second[64][64];
  int t = threadIdx.x;
  for (int r = 0; r < 64; r++)
    first[r][t] = in[r * 64 + t];
  __syncthreads();
  float x = first[t][63 - t] + first[63 - t][t];
  __syncthreads();
  for (int r = 0; r < 64; r++)
    second[r][t] = x;
  __syncthreads();
  out[t] = second[t][63 - t];
}

void launch(float *out, const float *in) {
  // cuda-opt off
  large<<<1, 64>>>(out);
  // cuda-opt on
  shared<<<64, 64>>>(out, in);
}
