// RUN: %cuda-opt --print=analysis --block=32 %s -- %cuda-flags | FileCheck %s
//
// The requests of each array, as declared, at the width that nvcc 13.0 makes of
// them for sm_90: L128 is LDS.128.

#include "cuda.h"

// CHECK-LABEL: analysis rows block 32x1x1
// CHECK: array even: {{.*}}; L128 8
// CHECK: array odd: {{.*}}; L32 32
// CHECK: array unaligned: {{.*}}; L32 32
__global__ void rows(float *out) {
  __shared__ float even[32][36];
  __shared__ float odd[32][33];
  __shared__ float before[33];
  __shared__ float unaligned[32][36];
  before[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float sum = before[31 - threadIdx.x];
  for (int k = 0; k < 32; k++)
    sum += even[threadIdx.x][k] + odd[threadIdx.x][k] +
           unaligned[threadIdx.x][k];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: analysis loops block 32x1x1
// CHECK: array apart: {{.*}}; L32 32
// CHECK: array four: {{.*}}; L64 16
// CHECK: array block: {{.*}}; L64 16
// CHECK: array divided: {{.*}}; L32 32
// CHECK: array guarded: {{.*}}; L32 32
__global__ void loops(float *out, int n) {
  __shared__ float apart[32][32], four[32][32], block[32][32], divided[32][32],
      guarded[32][32];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; k++)
    sum += apart[threadIdx.x][k];
#pragma unroll 4
  for (int k = 0; k < 32; k++)
    sum += four[threadIdx.x][k];
  for (int k = 0; k < blockDim.x; k++)
    sum += block[threadIdx.x][k];
  for (int k = 0; k < 32; k++)
    sum += sum / divided[threadIdx.x][k];
  for (int k = 0; k < 32; k++)
    if (threadIdx.x < n)
      sum += guarded[threadIdx.x][k];
  out[threadIdx.x] = sum;
}

struct Point {
  float x, y;
};

// CHECK-LABEL: analysis statements block 32x1x1
// CHECK: array points: {{.*}}; L64 1
// CHECK: array line: {{.*}}; L64 1, S128 1
__global__ void statements(float *out) {
  __shared__ Point points[32];
  __shared__ float line[128];
  const int t = threadIdx.x;
  line[4 * t] = out[t];
  line[4 * t + 1] = out[t + 32];
  line[4 * t + 2] = out[t + 64];
  line[4 * t + 3] = out[t + 96];
  __syncthreads();
  out[t] = points[t].x * points[t].y + line[2 * t] - line[2 * t + 1];
}
