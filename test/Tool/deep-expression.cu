// An expression of thousands of terms, as generators write them, is no reason to
// crash.
// RUN: %python -c "print('int h(int a) { return ' + '+'.join(['a'] * 20000) + '; }')" > %t.inc
// RUN: %cuda-opt %s -o %t.cu -- %cuda-flags -include %t.inc 2>&1 | FileCheck %s
#include "cuda.h"

// CHECK: 1 kernel, 0 arrays rewritten, 1 kept (no-conflict)
__global__ void reverse(float *out) {
  __shared__ float s[32];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
void launch(float *out) { reverse<<<1, 32>>>(out); }
