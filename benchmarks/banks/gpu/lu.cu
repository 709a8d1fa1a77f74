// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LU decomposition, without pivoting, of many matrices of 16 x 16 doubles: a
// half warp for each, a thread for a row. The rows are 128 bytes long: all 16
// threads meet in one pair of banks.

#include "Bench.h"

constexpr int N = 16;
constexpr int MATRICES = 8; // Of a block.
constexpr int THREADS = N * MATRICES;

#if defined(PADDED)

__global__ void __launch_bounds__(THREADS)
    lu(double *out, const double *in, int rounds) {
  __shared__ double a[MATRICES][N][N + 1];

  int matrix = threadIdx.y, row = threadIdx.x;
  size_t first = (size_t(blockIdx.x) * MATRICES + matrix) * N * N;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < N; ++i)
      a[matrix][i][row] = in[first + i * N + row];
    __syncwarp();

    for (int k = 0; k < N - 1; ++k) {
      if (row > k) {
        double factor = a[matrix][row][k] / a[matrix][k][k];
        a[matrix][row][k] = factor;
        for (int j = k + 1; j < N; ++j)
          a[matrix][row][j] -= factor * a[matrix][k][j];
      }
      __syncwarp();
    }

    for (int i = 0; i < N; ++i)
      out[first + i * N + row] = a[matrix][i][row];
    __syncwarp();
  }
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(THREADS)
    lu(double *out, const double *in, int rounds) {
  __shared__ double a[MATRICES * N * N];
  auto at = [](int matrix, int row, int column) {
    return bench::swizzle<4, 0, 4, N>(matrix * N + row, column);
  };

  int matrix = threadIdx.y, row = threadIdx.x;
  size_t first = (size_t(blockIdx.x) * MATRICES + matrix) * N * N;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < N; ++i)
      a[at(matrix, i, row)] = in[first + i * N + row];
    __syncwarp();

    for (int k = 0; k < N - 1; ++k) {
      if (row > k) {
        double factor = a[at(matrix, row, k)] / a[at(matrix, k, k)];
        a[at(matrix, row, k)] = factor;
        for (int j = k + 1; j < N; ++j)
          a[at(matrix, row, j)] -= factor * a[at(matrix, k, j)];
      }
      __syncwarp();
    }

    for (int i = 0; i < N; ++i)
      out[first + i * N + row] = a[at(matrix, i, row)];
    __syncwarp();
  }
}

#else

__global__ void __launch_bounds__(THREADS)
    lu(double *out, const double *in, int rounds) {
  __shared__ double a[MATRICES][N][N];

  int matrix = threadIdx.y, row = threadIdx.x;
  size_t first = (size_t(blockIdx.x) * MATRICES + matrix) * N * N;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < N; ++i)
      a[matrix][i][row] = in[first + i * N + row];
    __syncwarp();

    for (int k = 0; k < N - 1; ++k) {
      if (row > k) {
        double factor = a[matrix][row][k] / a[matrix][k][k];
        a[matrix][row][k] = factor;
        for (int j = k + 1; j < N; ++j)
          a[matrix][row][j] -= factor * a[matrix][k][j];
      }
      __syncwarp();
    }

    for (int i = 0; i < N; ++i)
      out[first + i * N + row] = a[matrix][i][row];
    __syncwarp();
  }
}

#endif

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {5280, 2}, 1);
  int blocks = options.work.size, rounds = options.work.rounds;
  size_t count = size_t(blocks) * MATRICES * N * N;
  // Diagonals that outweigh the rest make pivoting needless.
  bench::DeviceArray<double> in(count, [](size_t i) {
    size_t row = i / N % N, column = i % N;
    return double(bench::number(i)) + (row == column ? N : 0);
  });
  bench::DeviceArray<double> out(count);
  return bench::run("lu", options, blocks, out, [&] {
    lu<<<blocks, dim3(N, MATRICES)>>>(out.get(), in.get(), rounds);
  });
}
