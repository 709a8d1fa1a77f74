// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolution of the columns of an image with 17 weights. A block of 16 x 8
// threads keeps 16 columns of 80 pixels, each as a row of shared memory, so
// that 16 lanes read elements that lie 80 words apart: they share two banks.

#include "Bench.h"

constexpr int RADIUS = 8;
constexpr int BLOCK_X = 16;
constexpr int BLOCK_Y = 8;
constexpr int STEPS = 8; // Results of a thread.
constexpr int HALO = 1;  // Steps above and below them.
constexpr int ROWS = (STEPS + 2 * HALO) * BLOCK_Y;

__constant__ float weights[2 * RADIUS + 1];

#if defined(PADDED)

__global__ void convolutionColumns(float *out, const float *in, int width,
                                   int height) {
  __shared__ float pixels[BLOCK_X][ROWS + 1];

  int x = blockIdx.x * BLOCK_X + threadIdx.x;
  int y = (blockIdx.y * STEPS - HALO) * BLOCK_Y + threadIdx.y;
#pragma unroll
  for (int i = 0; i < STEPS + 2 * HALO; ++i) {
    int row = y + i * BLOCK_Y;
    pixels[threadIdx.x][threadIdx.y + i * BLOCK_Y] =
        row >= 0 && row < height ? in[row * width + x] : 0;
  }

  __syncthreads();

#pragma unroll
  for (int i = HALO; i < HALO + STEPS; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j)
      sum += weights[RADIUS - j] *
             pixels[threadIdx.x][threadIdx.y + i * BLOCK_Y + j];
    out[(y + i * BLOCK_Y) * width + x] = sum;
  }
}

#elif defined(SWIZZLED)

__global__ void convolutionColumns(float *out, const float *in, int width,
                                   int height) {
  __shared__ float pixels[BLOCK_X * ROWS];

  int x = blockIdx.x * BLOCK_X + threadIdx.x;
  int y = (blockIdx.y * STEPS - HALO) * BLOCK_Y + threadIdx.y;
  int first = threadIdx.x * ROWS + threadIdx.y;
#pragma unroll
  for (int i = 0; i < STEPS + 2 * HALO; ++i) {
    int row = y + i * BLOCK_Y;
    pixels[bench::swizzle<4, 0, 4>(first + i * BLOCK_Y)] =
        row >= 0 && row < height ? in[row * width + x] : 0;
  }

  __syncthreads();

#pragma unroll
  for (int i = HALO; i < HALO + STEPS; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j)
      sum += weights[RADIUS - j] *
             pixels[bench::swizzle<4, 0, 4>(first + i * BLOCK_Y + j)];
    out[(y + i * BLOCK_Y) * width + x] = sum;
  }
}

#else

__global__ void convolutionColumns(float *out, const float *in, int width,
                                   int height) {
  __shared__ float pixels[BLOCK_X][ROWS];

  int x = blockIdx.x * BLOCK_X + threadIdx.x;
  int y = (blockIdx.y * STEPS - HALO) * BLOCK_Y + threadIdx.y;
#pragma unroll
  for (int i = 0; i < STEPS + 2 * HALO; ++i) {
    int row = y + i * BLOCK_Y;
    pixels[threadIdx.x][threadIdx.y + i * BLOCK_Y] =
        row >= 0 && row < height ? in[row * width + x] : 0;
  }

  __syncthreads();

#pragma unroll
  for (int i = HALO; i < HALO + STEPS; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; ++j)
      sum += weights[RADIUS - j] *
             pixels[threadIdx.x][threadIdx.y + i * BLOCK_Y + j];
    out[(y + i * BLOCK_Y) * width + x] = sum;
  }
}

#endif

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {6144, 0}, STEPS * BLOCK_Y);
  int n = options.work.size;
  size_t count = size_t(n) * n;
  bench::DeviceArray<float> in(count, bench::number), out(count);
  float values[2 * RADIUS + 1];
  for (int i = 0; i <= 2 * RADIUS; ++i)
    values[i] = bench::number(i);
  CHECK(cudaMemcpyToSymbol(weights, values, sizeof(values)));

  dim3 grid(n / BLOCK_X, n / (STEPS * BLOCK_Y));
  return bench::run("convolution", options, size_t(grid.x) * grid.y, out, [&] {
    convolutionColumns<<<grid, dim3(BLOCK_X, BLOCK_Y)>>>(out.get(), in.get(), n,
                                                         n);
  });
}
