// Layouts that do not fit beside each other do where arrays share bytes: the
// check counts what the plan stores, for a block of unknown shape, too.
//
// RUN: %cuda-opt --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --verify=machine --block=32,8 %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=MACHINE
//
// CHECK: layout a [26][66]
// CHECK: storage (a | c | e | g) (b | d | f): bytes {{[0-9]+}} -> 14352
// MACHINE: union
#include "cuda.h"
__global__ void __launch_bounds__(256) sweep(float *out, const float *in) {
  __shared__ float a[26][66];
  __shared__ float b[26][66];
  __shared__ float c[26][66];
  __shared__ float d[26][66];
  __shared__ float e[26][66];
  __shared__ float f[26][66];
  __shared__ float g[26][66];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int i = ty; i < 26; i += 8)
    for (int j = tx; j < 64; j += 32)
      a[i][j] = in[i * 64 + j];
  __syncthreads();
  for (int i = ty; i < 25; i += 8)
    for (int j = tx; j < 64; j += 32)
      b[i][j] = a[i][j] + a[i + 1][j];
  __syncthreads();
  for (int i = ty; i < 24; i += 8)
    for (int j = tx; j < 64; j += 32)
      c[i][j] = b[i][j] + b[i + 1][j];
  __syncthreads();
  for (int i = ty; i < 23; i += 8)
    for (int j = tx; j < 64; j += 32)
      d[i][j] = c[i][j] + c[i + 1][j];
  __syncthreads();
  for (int i = ty; i < 22; i += 8)
    for (int j = tx; j < 64; j += 32)
      e[i][j] = d[i][j] + d[i + 1][j];
  __syncthreads();
  for (int i = ty; i < 21; i += 8)
    for (int j = tx; j < 64; j += 32)
      f[i][j] = e[i][j] + e[i + 1][j];
  __syncthreads();
  for (int i = ty; i < 20; i += 8)
    for (int j = tx; j < 64; j += 32)
      g[i][j] = f[i][j] + f[i + 1][j];
  __syncthreads();
  for (int i = ty; i < 19; i += 8)
    for (int j = tx; j < 64; j += 32)
      out[i * 64 + j] = g[i][j] + g[i + 1][j];
}
