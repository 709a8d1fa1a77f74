// RUN: %cuda-opt %s -- %cuda-flags | FileCheck %s
//
// A function that is host code too cannot call __brev, which both shapes of the
// block together would ask for.

#include "cuda.h"

// CHECK-NOT: {{__brev\(}}
static __host__ __device__ float get(float (*Tile)[32], int I, int J) {
  return Tile[I][J];
}

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  int X = threadIdx.x, Y = threadIdx.y;
  tile[Y][X] = In[Y * 32 + X];
  __syncthreads();
  Out[Y * 32 + X] = get(tile, X, Y);
}

void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
  transpose<<<1, dim3(16, 16)>>>(Out, In);
}
