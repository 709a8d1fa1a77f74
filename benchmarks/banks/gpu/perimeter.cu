// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step of a blocked LU decomposition that solves for the tiles beside and
// below a diagonal tile: half of the 32 threads for a tile each. A thread of
// the second half has a row of its tile, 16 words from its neighbour's: all
// rows start in two banks.

#include "Bench.h"

constexpr int TILE = 16;

#if defined(PADDED)

__global__ void __launch_bounds__(2 * TILE)
    perimeter(float *rowsOut, float *columnsOut, const float *diagonal,
              const float *rows, const float *columns, int n, int rounds) {
  __shared__ float dia[TILE][TILE];
  __shared__ float periRow[TILE][TILE];
  __shared__ float periCol[TILE][TILE + 1];

  int start = blockIdx.x * TILE;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 0; i < TILE / 2; ++i)
        dia[i][idx] = diagonal[i * TILE + idx];
      for (int i = 0; i < TILE; ++i)
        periRow[i][idx] = rows[i * n + start + idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = TILE / 2; i < TILE; ++i)
        dia[i][idx] = diagonal[i * TILE + idx];
      for (int i = 0; i < TILE; ++i)
        periCol[i][idx] = columns[(start + i) * TILE + idx];
    }
    __syncthreads();

    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 1; i < TILE; ++i)
        for (int j = 0; j < i; ++j)
          periRow[i][idx] -= dia[i][j] * periRow[j][idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = 0; i < TILE; ++i) {
        for (int j = 0; j < i; ++j)
          periCol[idx][i] -= periCol[idx][j] * dia[j][i];
        periCol[idx][i] /= dia[i][i];
      }
    }
    __syncthreads();

    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 0; i < TILE; ++i)
        rowsOut[i * n + start + idx] = periRow[i][idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = 0; i < TILE; ++i)
        columnsOut[(start + i) * TILE + idx] = periCol[i][idx];
    }
    __syncthreads();
  }
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(2 * TILE)
    perimeter(float *rowsOut, float *columnsOut, const float *diagonal,
              const float *rows, const float *columns, int n, int rounds) {
  __shared__ float dia[TILE][TILE];
  __shared__ float periRow[TILE][TILE];
  __shared__ float periCol[TILE * TILE];
  auto at = [](int row, int column) {
    return bench::swizzle<3, 0, 5, TILE>(row, column);
  };

  int start = blockIdx.x * TILE;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 0; i < TILE / 2; ++i)
        dia[i][idx] = diagonal[i * TILE + idx];
      for (int i = 0; i < TILE; ++i)
        periRow[i][idx] = rows[i * n + start + idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = TILE / 2; i < TILE; ++i)
        dia[i][idx] = diagonal[i * TILE + idx];
      for (int i = 0; i < TILE; ++i)
        periCol[at(i, idx)] = columns[(start + i) * TILE + idx];
    }
    __syncthreads();

    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 1; i < TILE; ++i)
        for (int j = 0; j < i; ++j)
          periRow[i][idx] -= dia[i][j] * periRow[j][idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = 0; i < TILE; ++i) {
        for (int j = 0; j < i; ++j)
          periCol[at(idx, i)] -= periCol[at(idx, j)] * dia[j][i];
        periCol[at(idx, i)] /= dia[i][i];
      }
    }
    __syncthreads();

    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 0; i < TILE; ++i)
        rowsOut[i * n + start + idx] = periRow[i][idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = 0; i < TILE; ++i)
        columnsOut[(start + i) * TILE + idx] = periCol[at(i, idx)];
    }
    __syncthreads();
  }
}

#else

__global__ void __launch_bounds__(2 * TILE)
    perimeter(float *rowsOut, float *columnsOut, const float *diagonal,
              const float *rows, const float *columns, int n, int rounds) {
  __shared__ float dia[TILE][TILE];
  __shared__ float periRow[TILE][TILE];
  __shared__ float periCol[TILE][TILE];

  int start = blockIdx.x * TILE;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 0; i < TILE / 2; ++i)
        dia[i][idx] = diagonal[i * TILE + idx];
      for (int i = 0; i < TILE; ++i)
        periRow[i][idx] = rows[i * n + start + idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = TILE / 2; i < TILE; ++i)
        dia[i][idx] = diagonal[i * TILE + idx];
      for (int i = 0; i < TILE; ++i)
        periCol[i][idx] = columns[(start + i) * TILE + idx];
    }
    __syncthreads();

    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 1; i < TILE; ++i)
        for (int j = 0; j < i; ++j)
          periRow[i][idx] -= dia[i][j] * periRow[j][idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = 0; i < TILE; ++i) {
        for (int j = 0; j < i; ++j)
          periCol[idx][i] -= periCol[idx][j] * dia[j][i];
        periCol[idx][i] /= dia[i][i];
      }
    }
    __syncthreads();

    if (threadIdx.x < TILE) {
      int idx = threadIdx.x;
      for (int i = 0; i < TILE; ++i)
        rowsOut[i * n + start + idx] = periRow[i][idx];
    } else {
      int idx = threadIdx.x - TILE;
      for (int i = 0; i < TILE; ++i)
        columnsOut[(start + i) * TILE + idx] = periCol[i][idx];
    }
    __syncthreads();
  }
}

#endif

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {4224, 8}, 1);
  int blocks = options.work.size, rounds = options.work.rounds;
  int n = blocks * TILE;
  size_t count = size_t(n) * TILE;
  // A diagonal that outweighs the rest keeps the numbers small.
  bench::DeviceArray<float> diagonal(TILE * TILE, [](size_t i) {
    return i % (TILE + 1) == 0 ? 8 + bench::number(i) : bench::number(i) / 8;
  });
  bench::DeviceArray<float> in(2 * count, bench::number), out(2 * count);
  return bench::run("perimeter", options, blocks, out, [&] {
    perimeter<<<blocks, 2 * TILE>>>(out.get(), out.get() + count,
                                    diagonal.get(), in.get(), in.get() + count,
                                    n, rounds);
  });
}
