// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needleman-Wunsch on tiles of 16 x 16: a warp of 16 threads goes through a
// tile of 17 x 17 scores along its antidiagonals. The elements of one are 16
// words apart: they share two banks.

#include "Bench.h"

constexpr int TILE = 16;

#if defined(PADDED)

__global__ void __launch_bounds__(TILE)
    wavefront(int *out, const int *reference, const int *border, int penalty,
              int rounds) {
  __shared__ int score[TILE + 1][TILE + 2];
  __shared__ int gain[TILE][TILE];

  int tx = threadIdx.x;
  size_t tile = size_t(blockIdx.x) * TILE * TILE;
  for (int round = 0; round < rounds; ++round) {
    if (tx == 0)
      score[0][0] = border[0];
    score[tx + 1][0] = border[tx + 1];
    score[0][tx + 1] = border[TILE + tx + 1];
    for (int i = 0; i < TILE; ++i)
      gain[i][tx] = reference[tile + i * TILE + tx];
    __syncthreads();

    for (int m = 0; m < TILE; ++m) {
      if (tx <= m) {
        int x = tx + 1;
        int y = m - tx + 1;
        score[y][x] =
            max(score[y - 1][x - 1] + gain[y - 1][x - 1],
                max(score[y][x - 1] - penalty, score[y - 1][x] - penalty));
      }
      __syncthreads();
    }
    for (int m = TILE - 2; m >= 0; --m) {
      if (tx <= m) {
        int x = tx + TILE - m;
        int y = TILE - tx;
        score[y][x] =
            max(score[y - 1][x - 1] + gain[y - 1][x - 1],
                max(score[y][x - 1] - penalty, score[y - 1][x] - penalty));
      }
      __syncthreads();
    }

    for (int i = 0; i < TILE; ++i)
      out[tile + i * TILE + tx] = score[i + 1][tx + 1];
    __syncthreads();
  }
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(TILE)
    wavefront(int *out, const int *reference, const int *border, int penalty,
              int rounds) {
  // Swizzle<3, 0, 5> maps the 17 x 17 elements to the first 290.
  __shared__ int score[(TILE + 1) * (TILE + 1) + 1];
  auto at = [](int row, int column) {
    return bench::swizzle<3, 0, 5>(row * (TILE + 1) + column);
  };
  __shared__ int gain[TILE][TILE];

  int tx = threadIdx.x;
  size_t tile = size_t(blockIdx.x) * TILE * TILE;
  for (int round = 0; round < rounds; ++round) {
    if (tx == 0)
      score[at(0, 0)] = border[0];
    score[at(tx + 1, 0)] = border[tx + 1];
    score[at(0, tx + 1)] = border[TILE + tx + 1];
    for (int i = 0; i < TILE; ++i)
      gain[i][tx] = reference[tile + i * TILE + tx];
    __syncthreads();

    for (int m = 0; m < TILE; ++m) {
      if (tx <= m) {
        int x = tx + 1;
        int y = m - tx + 1;
        score[at(y, x)] = max(
            score[at(y - 1, x - 1)] + gain[y - 1][x - 1],
            max(score[at(y, x - 1)] - penalty, score[at(y - 1, x)] - penalty));
      }
      __syncthreads();
    }
    for (int m = TILE - 2; m >= 0; --m) {
      if (tx <= m) {
        int x = tx + TILE - m;
        int y = TILE - tx;
        score[at(y, x)] = max(
            score[at(y - 1, x - 1)] + gain[y - 1][x - 1],
            max(score[at(y, x - 1)] - penalty, score[at(y - 1, x)] - penalty));
      }
      __syncthreads();
    }

    for (int i = 0; i < TILE; ++i)
      out[tile + i * TILE + tx] = score[at(i + 1, tx + 1)];
    __syncthreads();
  }
}

#else

__global__ void __launch_bounds__(TILE)
    wavefront(int *out, const int *reference, const int *border, int penalty,
              int rounds) {
  __shared__ int score[TILE + 1][TILE + 1];
  __shared__ int gain[TILE][TILE];

  int tx = threadIdx.x;
  size_t tile = size_t(blockIdx.x) * TILE * TILE;
  for (int round = 0; round < rounds; ++round) {
    if (tx == 0)
      score[0][0] = border[0];
    score[tx + 1][0] = border[tx + 1];
    score[0][tx + 1] = border[TILE + tx + 1];
    for (int i = 0; i < TILE; ++i)
      gain[i][tx] = reference[tile + i * TILE + tx];
    __syncthreads();

    for (int m = 0; m < TILE; ++m) {
      if (tx <= m) {
        int x = tx + 1;
        int y = m - tx + 1;
        score[y][x] =
            max(score[y - 1][x - 1] + gain[y - 1][x - 1],
                max(score[y][x - 1] - penalty, score[y - 1][x] - penalty));
      }
      __syncthreads();
    }
    for (int m = TILE - 2; m >= 0; --m) {
      if (tx <= m) {
        int x = tx + TILE - m;
        int y = TILE - tx;
        score[y][x] =
            max(score[y - 1][x - 1] + gain[y - 1][x - 1],
                max(score[y][x - 1] - penalty, score[y - 1][x] - penalty));
      }
      __syncthreads();
    }

    for (int i = 0; i < TILE; ++i)
      out[tile + i * TILE + tx] = score[i + 1][tx + 1];
    __syncthreads();
  }
}

#endif

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {4224, 16}, 1);
  int blocks = options.work.size, rounds = options.work.rounds;
  size_t count = size_t(blocks) * TILE * TILE;
  bench::DeviceArray<int> reference(
      count, [](size_t i) { return int(bench::hash(i) % 27) - 6; });
  bench::DeviceArray<int> border(2 * TILE + 1, [](size_t i) {
    return -10 * int(i <= TILE ? i : i - TILE);
  });
  bench::DeviceArray<int> out(count);
  return bench::run("wavefront", options, blocks, out, [&] {
    wavefront<<<blocks, TILE>>>(out.get(), reference.get(), border.get(), 10,
                                rounds);
  });
}
