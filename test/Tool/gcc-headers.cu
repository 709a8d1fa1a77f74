// REQUIRES: cuda
// RUN: %cuda-opt %s -- -arch=sm_90 | FileCheck %s
//
// Headers that only gcc has are found, as nvcc finds them.
#include <omp.h>

// CHECK: tile[32][32 + 1];
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = tile[x][y];
}
int run(float *out, const float *in) {
  transpose<<<1, dim3(32, 32)>>>(out, in);
  return omp_get_num_threads();
}
