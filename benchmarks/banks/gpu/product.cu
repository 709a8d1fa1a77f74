// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of 52 x 52 matrices of doubles, both in shared memory, as in
// document 000, "Experimental evaluation of memory optimizations on an embedded
// GPU platform": a block of 32 x 1 threads computes 32 rows of a column. The
// rows of A lie 52 doubles apart, so that lanes meet in banks.

#include "Product.h"

using bench::LANES;
using bench::WIDTH;

#if defined(PUBLISHED) || defined(PADDED) || defined(SWIZZLED)

__global__ void product(double *C, const double *A, const double *B) {
  __shared__ double AS[A_SIZE];
  __shared__ double BS[WIDTH * WIDTH];

  size_t first = size_t(blockIdx.z) * WIDTH * WIDTH;
  for (int i = threadIdx.x; i < WIDTH * WIDTH; i += LANES) {
    A_AT(i / WIDTH, i % WIDTH) = A[first + i];
    BS[i] = B[first + i];
  }
  __syncthreads();

  int row = blockIdx.x * LANES + threadIdx.x;
  int column = blockIdx.y;
  if (row < WIDTH) {
    double sum = 0;
#pragma unroll 1
    for (int k = 0; k < WIDTH; ++k)
      sum += A_AT(row, k) * BS[k * WIDTH + column];
    C[first + row * WIDTH + column] = sum;
  }
}

#else

__global__ void product(double *C, const double *A, const double *B) {
  __shared__ double AS[WIDTH * WIDTH];
  __shared__ double BS[WIDTH * WIDTH];

  size_t first = size_t(blockIdx.z) * WIDTH * WIDTH;
  for (int i = threadIdx.x; i < WIDTH * WIDTH; i += LANES) {
    AS[i] = A[first + i];
    BS[i] = B[first + i];
  }
  __syncthreads();

  int row = blockIdx.x * LANES + threadIdx.x;
  int column = blockIdx.y;
  if (row < WIDTH) {
    double sum = 0;
#pragma unroll 1
    for (int k = 0; k < WIDTH; ++k)
      sum += AS[row * WIDTH + k] * BS[k * WIDTH + column];
    C[first + row * WIDTH + column] = sum;
  }
}

#endif

int main(int argc, char **argv) {
  return bench::runProduct(
      "product", argc, argv, 512, 2 * WIDTH,
      [](double *c, const double *a, const double *b, int products) {
        product<<<dim3(2, WIDTH, products), LANES>>>(c, a, b);
      });
}
