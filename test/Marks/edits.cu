// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -- %cuda-flags | diff %s -
//
// A kernel whose launch must change stays, if the launch is in text that shall.

#include "cuda.h"

// CHECK: keep storage: it is marked to be left alone: 'cuda-opt off' in line [[#@LINE+10]]
__global__ void large(float *out) {
  __shared__ float only[256][64];
  int t = threadIdx.x;
  for (int r = 0; r < 256; r++)
    only[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 256; r++)
    out[r * 64 + t] = only[r][63 - t];
}
// cuda-opt off
void launch(float *out) { large<<<1, 64>>>(out); }
// cuda-opt on
