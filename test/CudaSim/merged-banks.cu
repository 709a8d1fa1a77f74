// REQUIRES: cuda
// RUN: %cuda-sim --banks %s 2>&1 | FileCheck %s
// RUN: %cuda-opt --print=analysis --block=128 %s -- -std=c++17 | FileCheck %s --check-prefix=MODEL
//
// Accesses that the compiler merges into one are counted as one, as cuda-opt's
// own model counts them.
//
// CHECK: points(float const*, float*), 1 launch, shared memory:
// CHECK: merged-banks.cu:[[#@LINE+22]] {{ *}}store {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}1.00
// CHECK: merged-banks.cu:[[#@LINE+25]] {{ *}}load {{ *}}4 {{ *}}16 {{ *}}16 {{ *}}1.00
// MODEL-LABEL: analysis points block 128x1x1
// MODEL: array p: {{.*}}; L128 4, S128 4
//
// Not where a row of 33 may begin at any word, nor across a store.
//
// CHECK: apart(float*), 1 launch, shared memory:
// CHECK: merged-banks.cu:[[#@LINE+31]] {{ *}}load {{ *}}2 {{ *}}2
// CHECK: merged-banks.cu:[[#@LINE+32]] {{ *}}load {{ *}}1 {{ *}}2
// CHECK: merged-banks.cu:[[#@LINE+33]] {{ *}}load {{ *}}1 {{ *}}2

#include <cuda_runtime.h>

struct Point {
  float x, y, z, w;
};

__global__ void points(const float *in, float *out) {
  __shared__ Point p[128];
  const int t = threadIdx.x;
  const float x = in[t], y = in[t + 128], z = in[t + 256];
  p[t] = {x, y, z, 1};
  __syncthreads();
  const int r = 127 - t;
  const Point q =
      p[r];
  out[t] = q.x + q.y * q.z + q.w;
}

__global__ void apart(float *out) {
  __shared__ float rows[32][33];
  __shared__ float line[64], other[32];
  const int t = threadIdx.x;
  for (int i = 0; i < 33; ++i)
    rows[t][i] = out[i];
  line[2 * t] = line[2 * t + 1] = out[t];
  __syncthreads();
  float sum =
      rows[t][0] + rows[t][1];
  __syncthreads();
  const float first = line[2 * t];
  other[t] = sum;
  sum += line[2 * t + 1];
  __syncthreads();
  out[t] = sum + first + other[31 - t];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 384 * sizeof(float));
  cudaMalloc(&out, 384 * sizeof(float));
  points<<<1, 128>>>(in, out);
  apart<<<1, 32>>>(out);
}
