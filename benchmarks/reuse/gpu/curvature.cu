// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Curvature of an image by tiles of 64 x 32 pixels with a halo of one: pixels,
// their two derivatives, the norm of these, its divergence, the mean of
// neighbours. At the border of a tile differences are one-sided. Five arrays,
// three of them alive together.

#include "Occupancy.h"

constexpr int TILE_X = 64, TILE_Y = 32, THREADS = 256;
constexpr int ROWS = TILE_Y + 2, COLUMNS = TILE_X + 2, CELLS = ROWS * COLUMNS;

__global__ void __launch_bounds__(THREADS)
    curvature(float *__restrict__ out, const float *__restrict__ in, int n) {
  __shared__ float u[ROWS][COLUMNS];
  __shared__ float dx[ROWS][COLUMNS];
  __shared__ float dy[ROWS][COLUMNS];
  __shared__ float norm[ROWS][COLUMNS];
  __shared__ float div[ROWS][COLUMNS];

  int left = blockIdx.x * TILE_X - 1, top = blockIdx.y * TILE_Y - 1;
  for (int i = threadIdx.x; i < CELLS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    int y = min(max(top + row, 0), n - 1);
    int x = min(max(left + column, 0), n - 1);
    u[row][column] = in[y * n + x];
  }
  __syncthreads();

  for (int i = threadIdx.x; i < CELLS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    dx[row][column] =
        u[row][min(column + 1, COLUMNS - 1)] - u[row][max(column - 1, 0)];
    dy[row][column] =
        u[min(row + 1, ROWS - 1)][column] - u[max(row - 1, 0)][column];
  }
  __syncthreads();

  for (int i = threadIdx.x; i < CELLS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    float slopeX = dx[row][column] + dx[row][min(column + 1, COLUMNS - 1)];
    float slopeY = dy[row][column] + dy[min(row + 1, ROWS - 1)][column];
    norm[row][column] = sqrtf(slopeX * slopeX + slopeY * slopeY + 1e-6f);
  }
  __syncthreads();

  for (int i = threadIdx.x; i < CELLS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    float here = norm[row][column];
    div[row][column] = norm[row][min(column + 1, COLUMNS - 1)] - here +
                       norm[min(row + 1, ROWS - 1)][column] - here;
  }
  __syncthreads();

  for (int i = threadIdx.x; i < TILE_X * TILE_Y; i += blockDim.x) {
    int row = i / TILE_X + 1, column = i % TILE_X + 1;
    out[(top + row) * n + left + column] =
        0.25f * (div[row][column - 1] + div[row][column + 1] +
                 div[row - 1][column] + div[row + 1][column]);
  }
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {4096, 0}, TILE_X);
  int n = options.work.size;
  bench::DeviceArray<float> in(size_t(n) * n, bench::number),
      out(size_t(n) * n);
  dim3 grid(n / TILE_X, n / TILE_Y);
  return bench::runKernel(
      "curvature", options, curvature, grid, THREADS, out,
      [&] { curvature<<<grid, THREADS>>>(out.get(), in.get(), n); });
}
