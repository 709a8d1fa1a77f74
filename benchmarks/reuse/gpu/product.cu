// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two products back to back, (A B) C, the rows of the result of length 1. A
// block makes 32 rows: it sums A B over tiles of both, keeps that in shared
// memory, multiplies it by tiles of C, and leaves the rows for all warps to
// scale. Five arrays, two of them alive together; the loads of a tile wait for
// memory, unless there are other blocks to run.

#include "Occupancy.h"

constexpr int ROWS = 32, HIDDEN = 64, WIDTH = 64, DEPTH = 256;
constexpr int SLICE_A = 64, SLICE_C = 32; // Of the sums.
constexpr int LANES = 32, WARPS = 4, MINE = ROWS / WARPS;

__global__ void __launch_bounds__(LANES *WARPS)
    product(float *__restrict__ out, const float *__restrict__ a,
            const float *__restrict__ b, const float *__restrict__ c) {
  __shared__ float tileA[ROWS][SLICE_A];
  __shared__ float tileB[SLICE_A][HIDDEN];
  __shared__ float hidden[ROWS][HIDDEN];
  __shared__ float tileC[SLICE_C][WIDTH];
  __shared__ float result[ROWS][WIDTH];

  int lane = threadIdx.x, warp = threadIdx.y;
  int top = blockIdx.x * ROWS;
  float sums[MINE][2] = {};
  for (int start = 0; start < DEPTH; start += SLICE_A) {
    for (int row = warp; row < ROWS; row += WARPS)
      for (int k = lane; k < SLICE_A; k += LANES)
        tileA[row][k] = a[(top + row) * DEPTH + start + k];
    for (int k = warp; k < SLICE_A; k += WARPS)
      for (int column = lane; column < HIDDEN; column += LANES)
        tileB[k][column] = b[(start + k) * HIDDEN + column];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < SLICE_A; ++k)
#pragma unroll
      for (int i = 0; i < MINE; ++i) {
        float left = tileA[warp * MINE + i][k];
        sums[i][0] += left * tileB[k][lane];
        sums[i][1] += left * tileB[k][lane + LANES];
      }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < MINE; ++i) {
    hidden[warp * MINE + i][lane] = fmaxf(sums[i][0], 0.0f);
    hidden[warp * MINE + i][lane + LANES] = fmaxf(sums[i][1], 0.0f);
    sums[i][0] = sums[i][1] = 0;
  }
  for (int start = 0; start < HIDDEN; start += SLICE_C) {
    for (int k = warp; k < SLICE_C; k += WARPS)
      for (int column = lane; column < WIDTH; column += LANES)
        tileC[k][column] = c[(start + k) * WIDTH + column];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < SLICE_C; ++k)
#pragma unroll
      for (int i = 0; i < MINE; ++i) {
        float left = hidden[warp * MINE + i][start + k];
        sums[i][0] += left * tileC[k][lane];
        sums[i][1] += left * tileC[k][lane + LANES];
      }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < MINE; ++i) {
    result[warp * MINE + i][lane] = sums[i][0];
    result[warp * MINE + i][lane + LANES] = sums[i][1];
  }
  __syncthreads();
  for (int row = warp; row < ROWS; row += WARPS) {
    float left = result[row][lane], right = result[row][lane + LANES];
    float square = left * left + right * right;
    for (int distance = 16; distance > 0; distance /= 2)
      square += __shfl_xor_sync(0xffffffffu, square, distance);
    float scale = rsqrtf(square + 1e-6f);
    out[(top + row) * WIDTH + lane] = scale * left;
    out[(top + row) * WIDTH + lane + LANES] = scale * right;
  }
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {131072, 0}, ROWS);
  int n = options.work.size;
  bench::DeviceArray<float> a(size_t(n) * DEPTH, bench::number);
  bench::DeviceArray<float> b(DEPTH * HIDDEN, bench::number);
  bench::DeviceArray<float> c(HIDDEN * WIDTH, bench::number);
  bench::DeviceArray<float> out(size_t(n) * WIDTH);
  dim3 grid(n / ROWS);
  return bench::runKernel("product", options, product, grid, dim3(LANES, WARPS),
                          out, [&] {
                            product<<<grid, dim3(LANES, WARPS)>>>(
                                out.get(), a.get(), b.get(), c.get());
                          });
}
