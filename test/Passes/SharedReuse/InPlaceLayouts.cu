// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=DECLARED
// RUN: %cuda-opt --assume-closed-world --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
//
// Elements that have the same bytes as declared do not have them in two layouts.
#include "cuda.h"

// DECLARED-LABEL: plan two_layouts
// DECLARED: in place first second
// CHECK-LABEL: plan two_layouts
// CHECK: layout first [32][32] ->
// CHECK: layout second [64][16] ->
// CHECK-NEXT: keep storage: no two of its shared variables
__global__ void two_layouts(float *out, const float *in) {
  __shared__ float first[32][32];
  __shared__ float second[64][16];
  int x = threadIdx.x, y = threadIdx.y;
  first[y][x] = in[32 * y + x];
  __syncthreads();
  float v = first[x][y];
  second[2 * x + y / 16][y % 16] = v + 1;
  __syncthreads();
  out[32 * y + x] = second[2 * y + x / 16][x % 16];
}

void launch(float *out, const float *in) {
  two_layouts<<<1, dim3(32, 32)>>>(out, in);
}
