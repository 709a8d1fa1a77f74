// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges of an image (Canny): pixels, a Gaussian along the rows and along the
// columns, the gradient's length and direction, thin edges of two strengths;
// weak edges stay beside strong ones. A block reads 66 x 34 pixels and leaves
// 56 x 24. Four arrays of floats and two of bytes; two and one are alive
// together.

#include "Occupancy.h"

constexpr int ROWS = 34, COLUMNS = 66, MARGIN = 5;
constexpr int INNER_X = COLUMNS - 2 * MARGIN, INNER_Y = ROWS - 2 * MARGIN;
constexpr int BLOCK_X = 32, BLOCK_Y = 8;

__global__ void __launch_bounds__(BLOCK_X *BLOCK_Y)
    canny(float *__restrict__ out, const float *__restrict__ in, int n,
          float weak, float strong) {
  __shared__ float image[ROWS][COLUMNS];
  __shared__ float blurred[ROWS][COLUMNS];
  __shared__ float smooth[ROWS][COLUMNS];
  __shared__ float length[ROWS][COLUMNS];
  __shared__ unsigned char direction[ROWS][COLUMNS];
  __shared__ unsigned char edge[ROWS][COLUMNS];

  int left = blockIdx.x * INNER_X - MARGIN, top = blockIdx.y * INNER_Y - MARGIN;
  for (int row = threadIdx.y; row < ROWS; row += BLOCK_Y)
    for (int column = threadIdx.x; column < COLUMNS; column += BLOCK_X) {
      int y = min(max(top + row, 0), n - 1);
      int x = min(max(left + column, 0), n - 1);
      image[row][column] = in[y * n + x];
    }
  __syncthreads();

  for (int row = threadIdx.y; row < ROWS; row += BLOCK_Y)
    for (int column = threadIdx.x + 2; column < COLUMNS - 2; column += BLOCK_X)
      blurred[row][column] =
          0.0625f * (image[row][column - 2] + image[row][column + 2]) +
          0.25f * (image[row][column - 1] + image[row][column + 1]) +
          0.375f * image[row][column];
  __syncthreads();

  for (int row = threadIdx.y + 2; row < ROWS - 2; row += BLOCK_Y)
    for (int column = threadIdx.x + 2; column < COLUMNS - 2; column += BLOCK_X)
      smooth[row][column] =
          0.0625f * (blurred[row - 2][column] + blurred[row + 2][column]) +
          0.25f * (blurred[row - 1][column] + blurred[row + 1][column]) +
          0.375f * blurred[row][column];
  __syncthreads();

  for (int row = threadIdx.y + 3; row < ROWS - 3; row += BLOCK_Y)
    for (int column = threadIdx.x + 3; column < COLUMNS - 3;
         column += BLOCK_X) {
      float x = smooth[row][column + 1] - smooth[row][column - 1];
      float y = smooth[row + 1][column] - smooth[row - 1][column];
      length[row][column] = sqrtf(x * x + y * y);
      bool isFlat = fabsf(y) < 0.4142f * fabsf(x);
      bool isSteep = fabsf(x) < 0.4142f * fabsf(y);
      direction[row][column] = isFlat ? 0 : isSteep ? 2 : x * y > 0 ? 1 : 3;
    }
  __syncthreads();

  for (int row = threadIdx.y + 4; row < ROWS - 4; row += BLOCK_Y)
    for (int column = threadIdx.x + 4; column < COLUMNS - 4;
         column += BLOCK_X) {
      int way = direction[row][column];
      int down = way == 0 ? 0 : 1;
      int right = way == 2 ? 0 : way == 3 ? -1 : 1;
      float here = length[row][column];
      bool isThin = here >= length[row + down][column + right] &&
                    here > length[row - down][column - right];
      edge[row][column] = isThin ? (here > weak) + (here > strong) : 0;
    }
  __syncthreads();

  for (int row = threadIdx.y + MARGIN; row < ROWS - MARGIN; row += BLOCK_Y)
    for (int column = threadIdx.x + MARGIN; column < COLUMNS - MARGIN;
         column += BLOCK_X) {
      int strongest = 0;
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          strongest = max(strongest, int(edge[row + j][column + i]));
      bool isEdge = edge[row][column] > 0 && strongest == 2;
      out[(top + row) * n + left + column] = isEdge ? 1 : 0;
    }
}

int main(int argc, char **argv) {
  bench::Options options =
      bench::parse(argc, argv, {4032, 0}, 3 * INNER_X); // Also of INNER_Y.
  int n = options.work.size;
  bench::DeviceArray<float> in(size_t(n) * n, bench::number),
      out(size_t(n) * n);
  dim3 grid(n / INNER_X, n / INNER_Y);
  return bench::runKernel("canny", options, canny, grid, dim3(BLOCK_X, BLOCK_Y),
                          out, [&] {
                            canny<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(
                                out.get(), in.get(), n, 0.2f, 0.4f);
                          });
}
