// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Corners of an image (Harris and Stephens): pixels, two derivatives, three
// sums of their products over windows of 3 x 3, the response, of which the
// local maxima are kept. A block reads 66 x 26 pixels and leaves 60 x 20. Seven
// arrays, four of them alive together.

#include "Occupancy.h"

constexpr int ROWS = 26, COLUMNS = 66, MARGIN = 3;
constexpr int INNER_X = COLUMNS - 2 * MARGIN, INNER_Y = ROWS - 2 * MARGIN;
constexpr int BLOCK_X = 32, BLOCK_Y = 8;

__global__ void __launch_bounds__(BLOCK_X *BLOCK_Y)
    harris(float *__restrict__ out, const float *__restrict__ in, int n,
           float threshold) {
  __shared__ float image[ROWS][COLUMNS];
  __shared__ float dx[ROWS][COLUMNS];
  __shared__ float dy[ROWS][COLUMNS];
  __shared__ float xx[ROWS][COLUMNS];
  __shared__ float xy[ROWS][COLUMNS];
  __shared__ float yy[ROWS][COLUMNS];
  __shared__ float response[ROWS][COLUMNS];

  int left = blockIdx.x * INNER_X - MARGIN, top = blockIdx.y * INNER_Y - MARGIN;
  for (int row = threadIdx.y; row < ROWS; row += BLOCK_Y)
    for (int column = threadIdx.x; column < COLUMNS; column += BLOCK_X) {
      int y = min(max(top + row, 0), n - 1);
      int x = min(max(left + column, 0), n - 1);
      image[row][column] = in[y * n + x];
    }
  __syncthreads();

  for (int row = threadIdx.y + 1; row < ROWS - 1; row += BLOCK_Y)
    for (int column = threadIdx.x + 1; column < COLUMNS - 1;
         column += BLOCK_X) {
      dx[row][column] = image[row - 1][column + 1] -
                        image[row - 1][column - 1] +
                        2 * (image[row][column + 1] - image[row][column - 1]) +
                        image[row + 1][column + 1] - image[row + 1][column - 1];
      dy[row][column] = image[row + 1][column - 1] -
                        image[row - 1][column - 1] +
                        2 * (image[row + 1][column] - image[row - 1][column]) +
                        image[row + 1][column + 1] - image[row - 1][column + 1];
    }
  __syncthreads();

  for (int row = threadIdx.y + 2; row < ROWS - 2; row += BLOCK_Y)
    for (int column = threadIdx.x + 2; column < COLUMNS - 2;
         column += BLOCK_X) {
      float sum = 0;
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          sum += dx[row + j][column + i] * dx[row + j][column + i];
      xx[row][column] = sum;
    }
  __syncthreads();

  for (int row = threadIdx.y + 2; row < ROWS - 2; row += BLOCK_Y)
    for (int column = threadIdx.x + 2; column < COLUMNS - 2;
         column += BLOCK_X) {
      float sum = 0;
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          sum += dx[row + j][column + i] * dy[row + j][column + i];
      xy[row][column] = sum;
    }
  __syncthreads();

  for (int row = threadIdx.y + 2; row < ROWS - 2; row += BLOCK_Y)
    for (int column = threadIdx.x + 2; column < COLUMNS - 2;
         column += BLOCK_X) {
      float sum = 0;
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          sum += dy[row + j][column + i] * dy[row + j][column + i];
      yy[row][column] = sum;
    }
  __syncthreads();

  for (int row = threadIdx.y + 2; row < ROWS - 2; row += BLOCK_Y)
    for (int column = threadIdx.x + 2; column < COLUMNS - 2;
         column += BLOCK_X) {
      float a = xx[row][column], b = xy[row][column], c = yy[row][column];
      response[row][column] = a * c - b * b - 0.04f * (a + c) * (a + c);
    }
  __syncthreads();

  for (int row = threadIdx.y + MARGIN; row < ROWS - MARGIN; row += BLOCK_Y)
    for (int column = threadIdx.x + MARGIN; column < COLUMNS - MARGIN;
         column += BLOCK_X) {
      float here = response[row][column], most = threshold;
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          most = fmaxf(most, response[row + j][column + i]);
      out[(top + row) * n + left + column] = here == most ? here : 0;
    }
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {4080, 0}, INNER_X);
  int n = options.work.size;
  bench::DeviceArray<float> in(size_t(n) * n, bench::number),
      out(size_t(n) * n);
  dim3 grid(n / INNER_X, n / INNER_Y);
  return bench::runKernel(
      "harris", options, harris, grid, dim3(BLOCK_X, BLOCK_Y), out, [&] {
        harris<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(out.get(), in.get(), n, 1.0f);
      });
}
