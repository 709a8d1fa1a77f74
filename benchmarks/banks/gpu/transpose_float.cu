// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transpose of a square matrix of floats through a tile in shared memory.
// A column of the tile lies in one bank.

#include "Transpose.h"

using bench::ROWS;
using bench::TILE;

#if defined(PADDED)

__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[TILE][TILE + 1];

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * n + x];

  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    out[size_t(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

#elif defined(SWIZZLED)

__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[TILE * TILE];

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    tile[bench::swizzle<5, 0, 5, TILE>(threadIdx.y + j, threadIdx.x)] =
        in[size_t(y + j) * n + x];

  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    out[size_t(y + j) * n + x] =
        tile[bench::swizzle<5, 0, 5, TILE>(threadIdx.x, threadIdx.y + j)];
}

#else

__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[TILE][TILE];

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * n + x];

  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    out[size_t(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

#endif

int main(int argc, char **argv) {
  return bench::runTranspose<float>("transpose_float", argc, argv, 6144,
                                    [](float *out, const float *in, int n) {
                                      dim3 grid(n / TILE, n / TILE),
                                          block(TILE, ROWS);
                                      transpose<<<grid, block>>>(out, in, n);
                                    });
}
