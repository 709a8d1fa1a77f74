// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of product.cu by blocks that fill a multiprocessor: 13 warps, each
// of which computes 32 rows of four columns, so that the copies to shared memory
// serve many sums.
//
// PUBLISHED has the layout of document 000: element (row, k) at row * 53 + 2 k.

#include "Bench.h"

constexpr int WIDTH = 52;
constexpr int LANES = 32;
constexpr int WARPS = 13;

#if defined(PUBLISHED)
#define A_SIZE (51 * 53 + 51 * 2 + 1)
#define A_AT(row, k) AS[(row) * 53 + (k) * 2]
#elif defined(PADDED)
#define A_SIZE (WIDTH * 53)
#define A_AT(row, k) AS[(row) * 53 + (k)]
#elif defined(SWIZZLED)
#define A_SIZE (WIDTH * WIDTH)
#define A_AT(row, k) AS[(row) * WIDTH + ((k) ^ ((row) >> 2 & 3))]
#endif

#if defined(A_SIZE)

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
  bench::Options options = bench::parse(argc, argv, {8192, 0}, 1);
  dim3 grid(2, options.work.size), block(LANES, WARPS);
  size_t count = size_t(options.work.size) * WIDTH * WIDTH;
  auto value = [](size_t i) { return double(bench::number(i)); };
  bench::DeviceArray<double> a(count, value), b(count, value), c(count);
  return bench::run("product_wide", options, size_t(grid.x) * grid.y, c, [&] {
    product<<<grid, block>>>(c.get(), a.get(), b.get());
  });
}
