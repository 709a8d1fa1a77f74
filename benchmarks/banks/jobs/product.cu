// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job 1: the product of 52 x 52 matrices of doubles, one of them in shared
// memory. It is filled by rows; then each thread reads its own row.

constexpr int WIDTH = 52;

__global__ void job01_product_52(double *c, const double *a, const double *b) {
  __shared__ double AS[WIDTH][WIDTH];
  const int row = threadIdx.x;
  a += blockIdx.x * WIDTH * WIDTH;
  b += blockIdx.x * WIDTH * WIDTH;
  c += blockIdx.x * WIDTH * WIDTH;

  if (row < WIDTH)
    for (int i = 0; i < WIDTH; ++i)
      AS[i][row] = a[i * WIDTH + row];
  __syncthreads();

  if (row < WIDTH)
    for (int col = 0; col < WIDTH; ++col) {
      double sum = 0;
      for (int k = 0; k < WIDTH; ++k)
        sum += AS[row][k] * b[k * WIDTH + col];
      c[row * WIDTH + col] = sum;
    }
}

void launch01(double *c, const double *a, const double *b, int batch) {
  job01_product_52<<<batch, 64>>>(c, a, b);
}
