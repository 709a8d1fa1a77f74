// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transpose of a square matrix of halfs through a tile in shared memory.
// Two elements share a word: a pitch of 33 leaves conflicts, one of 34 none.

#include "Transpose.h"
#include <cuda_fp16.h>

using bench::ROWS;
using bench::TILE;

#if defined(PADDED)

__global__ void transpose(__half *out, const __half *in, int n) {
  __shared__ __half tile[TILE][TILE + 1];

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

__global__ void transpose(__half *out, const __half *in, int n) {
  __shared__ __half tile[TILE * TILE];

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

__global__ void transpose(__half *out, const __half *in, int n) {
  __shared__ __half tile[TILE][TILE];

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
  return bench::runTranspose<__half>("transpose_half", argc, argv, 8192,
                                     [](__half *out, const __half *in, int n) {
                                       dim3 grid(n / TILE, n / TILE),
                                           block(TILE, ROWS);
                                       transpose<<<grid, block>>>(out, in, n);
                                     });
}
