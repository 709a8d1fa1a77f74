// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of total variation along the rows of a volume, by tiles of 64 x 32
// pixels of a slice: pixels, two derivatives, the unit normal, its divergence,
// the mean of neighbours along the row. Five arrays, three of them alive
// together, of two sizes.

#include "Occupancy.h"

constexpr int TILE_X = 64, TILE_Y = 32, THREADS = 256, DEPTH = 16;
constexpr int ROWS = TILE_Y + 2, COLUMNS = TILE_X + 2, CELLS = ROWS * COLUMNS;

__global__ void __launch_bounds__(THREADS)
    curvature(float *__restrict__ out, const float *__restrict__ in, int n,
              float step) {
  __shared__ float u[ROWS][COLUMNS];
  __shared__ float dx[ROWS][COLUMNS];
  __shared__ float dy[ROWS][COLUMNS];
  __shared__ float normal[TILE_Y][COLUMNS];
  __shared__ float div[TILE_Y][COLUMNS];

  int left = blockIdx.x * TILE_X - 1, top = blockIdx.y * TILE_Y - 1;
  const float *slice = in + size_t(blockIdx.z) * n * n;
  int above = blockIdx.z > 0 ? -n * n : 0;
  int below = blockIdx.z + 1 < gridDim.z ? n * n : 0;
  for (int i = threadIdx.x; i < CELLS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    int y = min(max(top + row, 0), n - 1);
    int x = min(max(left + column, 0), n - 1);
    u[row][column] = slice[y * n + x];
  }
  __syncthreads();

  for (int i = threadIdx.x; i < CELLS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    dx[row][column] = u[row][min(column + 1, COLUMNS - 1)] - u[row][column];
    dy[row][column] = u[min(row + 1, ROWS - 1)][column] - u[row][column];
  }
  __syncthreads();

  for (int i = threadIdx.x; i < TILE_Y * COLUMNS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    int next = min(column + 1, COLUMNS - 1);
    int x = min(max(left + column, 0), n - 1);
    const float *pixel = slice + (top + row + 1) * n + x;
    float slope = dx[row + 1][column];
    float slopeY = 0.25f * (dy[row + 1][column] + dy[row + 1][next] +
                            dy[row][column] + dy[row][next]);
    float slopeZ = 0.5f * (pixel[below] - pixel[above]);
    normal[row][column] = slope * rsqrtf(slope * slope + slopeY * slopeY +
                                         slopeZ * slopeZ + 0.01f);
  }
  __syncthreads();

  for (int i = threadIdx.x; i < TILE_Y * COLUMNS; i += blockDim.x) {
    int row = i / COLUMNS, column = i % COLUMNS;
    div[row][column] = normal[row][column] - normal[row][max(column - 1, 0)];
  }
  __syncthreads();

  float *result = out + size_t(blockIdx.z) * n * n;
  for (int i = threadIdx.x; i < TILE_X * TILE_Y; i += blockDim.x) {
    int row = i / TILE_X, column = i % TILE_X + 1;
    int pixel = (top + row + 1) * n + left + column;
    result[pixel] =
        slice[pixel] +
        step * (0.5f * div[row][column] +
                0.25f * (div[row][column - 1] + div[row][column + 1]));
  }
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {2048, 0}, TILE_X);
  int n = options.work.size;
  size_t count = size_t(n) * n * DEPTH;
  bench::DeviceArray<float> in(count, bench::number), out(count);
  dim3 grid(n / TILE_X, n / TILE_Y, DEPTH);
  return bench::runKernel(
      "curvature3d", options, curvature, grid, THREADS, out,
      [&] { curvature<<<grid, THREADS>>>(out.get(), in.get(), n, 0.02f); });
}
