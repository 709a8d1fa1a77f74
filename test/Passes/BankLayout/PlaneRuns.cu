// RUN: %cuda-opt --layout=pad --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
//
// Copies of 16 bytes from the beginning of each plane: what is added to a plane
// keeps the next one at a multiple of 16 bytes. One row of 18 floats does not,
// two of them do.

#include "cuda/copies.h"

// CHECK-LABEL: plan planes
// CHECK-NEXT: layout tile [8][16][18] -> [8][18][18]: wavefronts 32 -> 8
__global__ void planes(float *Out, const float *In) {
  __shared__ __align__(16) float tile[8][16][18];
  int P = threadIdx.x % 8, R = threadIdx.x / 8;
  __pipeline_memcpy_async(&tile[P][0][0], &In[P * 288], 16);
  __syncthreads();
  Out[threadIdx.x] = tile[P][R][1];
}

// One row more would conflict less, and leave the planes at 24 bytes.
// CHECK-LABEL: plan oneRow
// CHECK-NEXT: layout tile [32][8][6] -> [32][10][6]: wavefronts 64 -> 16
__global__ void oneRow(float *Out, const float *In) {
  __shared__ __align__(16) float tile[32][8][6];
  int P = threadIdx.x % 32;
  __pipeline_memcpy_async(&tile[P][0][0], &In[P * 48], 16);
  __syncthreads();
  Out[threadIdx.x] = tile[P][0][1];
}

void launch(float *Out, const float *In) {
  planes<<<1, 128>>>(Out, In);
  oneRow<<<1, 128>>>(Out, In);
}
