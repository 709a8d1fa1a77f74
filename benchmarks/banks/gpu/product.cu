// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of 52 x 52 matrices of doubles, both in shared memory, as in "An
// Experimental Evaluation of Shared Memory Optimization Techniques" of document
// 000: a block of 32 x 1 threads computes 32 rows of a column. The rows of A lie
// 52 doubles apart, so that lanes meet in banks.
//
// PUBLISHED has the document's layout, T = [2 1; 0 1]: element (row, k) at
// row * 53 + 2 k. It needs 2806 doubles; the document declares 2805.

#include "Bench.h"

constexpr int WIDTH = 52;
constexpr int LANES = 32;

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
  bench::Options options = bench::parse(argc, argv, {512, 0}, 1);
  dim3 grid(2, WIDTH, options.work.size);
  size_t count = size_t(options.work.size) * WIDTH * WIDTH;
  auto value = [](size_t i) { return double(bench::number(i)); };
  bench::DeviceArray<double> a(count, value), b(count, value), c(count);
  size_t blocks = size_t(grid.x) * grid.y * grid.z;
  return bench::run("product", options, blocks, c, [&] {
    product<<<grid, LANES>>>(c.get(), a.get(), b.get());
  });
}
