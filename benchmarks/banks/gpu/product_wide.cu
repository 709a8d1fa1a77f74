// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of product.cu by blocks that fill a multiprocessor: 13 warps,
// each of which computes 32 rows of four columns, so that the copies to shared
// memory serve many sums.

#include "Product.h"

using bench::LANES;
using bench::WIDTH;

constexpr int WARPS = 13;

#if defined(PUBLISHED) || defined(PADDED) || defined(SWIZZLED)

__global__ void product(double *C, const double *A, const double *B) {
  __shared__ double AS[A_SIZE];
  __shared__ double BS[WIDTH * WIDTH];

  size_t first = size_t(blockIdx.y) * WIDTH * WIDTH;
  for (int i = threadIdx.y * LANES + threadIdx.x; i < WIDTH * WIDTH;
       i += LANES * WARPS) {
    A_AT(i / WIDTH, i % WIDTH) = A[first + i];
    BS[i] = B[first + i];
  }
  __syncthreads();

  int row = blockIdx.x * LANES + threadIdx.x;
  if (row < WIDTH)
    for (int column = threadIdx.y; column < WIDTH; column += WARPS) {
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

  size_t first = size_t(blockIdx.y) * WIDTH * WIDTH;
  for (int i = threadIdx.y * LANES + threadIdx.x; i < WIDTH * WIDTH;
       i += LANES * WARPS) {
    AS[i] = A[first + i];
    BS[i] = B[first + i];
  }
  __syncthreads();

  int row = blockIdx.x * LANES + threadIdx.x;
  if (row < WIDTH)
    for (int column = threadIdx.y; column < WIDTH; column += WARPS) {
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
      "product_wide", argc, argv, 8192, 2,
      [](double *c, const double *a, const double *b, int products) {
        product<<<dim3(2, products), dim3(LANES, WARPS)>>>(c, a, b);
      });
}
