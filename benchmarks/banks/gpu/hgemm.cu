// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of a matrix of halves with a narrow one: a block of 8 warps has 128
// rows and 8 columns, a warp one of the columns. A tile of 128 x 32 halves is
// stored and read 16 bytes at a time, in the pattern of ldmatrix: 16 rows, two
// chunks of each. The rows are 64 bytes long, so that 8 lanes meet in two
// chunks of banks. Padded rows are 8 halves longer, as chunks must stay
// aligned.

#include "Bench.h"
#include <cuda_fp16.h>

constexpr int ROWS = 128;
constexpr int DEPTH = 32;
constexpr int COLUMNS = 8;
constexpr int THREADS = 32 * COLUMNS;

__device__ __half2 multiplyAdd(uint4 a, uint4 b, __half2 sum) {
  const auto *left = reinterpret_cast<const __half2 *>(&a);
  const auto *right = reinterpret_cast<const __half2 *>(&b);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum = __hfma2(left[i], right[i], sum);
  return sum;
}

#if defined(PADDED)

__global__ void __launch_bounds__(THREADS)
    hgemm(float *c, const __half *a, const __half *bTransposed, int n, int k) {
  __shared__ __align__(16) __half As[ROWS][DEPTH + 8];

  int tid = threadIdx.x;
  int lane = tid % 32, warp = tid / 32;
  int column = blockIdx.x * COLUMNS + warp;
  const __half *aTile = &a[blockIdx.y * ROWS * k];

  __half2 sum[ROWS / 16] = {};
  for (int start = 0; start < k; start += DEPTH) {
#pragma unroll
    for (int i = 0; i < ROWS; i += THREADS / 4) {
      int row = i + tid / 4, chunk = tid % 4 * 8;
      *reinterpret_cast<uint4 *>(&As[row][chunk]) =
          *reinterpret_cast<const uint4 *>(&aTile[row * k + start + chunk]);
    }
    __syncthreads();

#pragma unroll
    for (int j = 0; j < DEPTH; j += 16) {
      int chunk = j + lane / 16 * 8;
      uint4 b = *reinterpret_cast<const uint4 *>(
          &bTransposed[column * k + start + chunk]);
#pragma unroll
      for (int i = 0; i < ROWS / 16; ++i) {
        uint4 fromA =
            *reinterpret_cast<const uint4 *>(&As[i * 16 + lane % 16][chunk]);
        sum[i] = multiplyAdd(fromA, b, sum[i]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < ROWS / 16; ++i) {
    float total = __low2float(sum[i]) + __high2float(sum[i]);
    total += __shfl_xor_sync(0xffffffff, total, 16);
    if (lane < 16)
      c[(blockIdx.y * ROWS + i * 16 + lane) * n + column] = total;
  }
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(THREADS)
    hgemm(float *c, const __half *a, const __half *bTransposed, int n, int k) {
  // Swizzle<2, 3, 3> does the same to rows that are 16 apart.
  __shared__ __align__(16) __half As[ROWS * DEPTH];
  auto at = [](int row, int column) {
    return bench::swizzle<2, 3, 3, DEPTH>(row, column);
  };

  int tid = threadIdx.x;
  int lane = tid % 32, warp = tid / 32;
  int column = blockIdx.x * COLUMNS + warp;
  const __half *aTile = &a[blockIdx.y * ROWS * k];

  __half2 sum[ROWS / 16] = {};
  for (int start = 0; start < k; start += DEPTH) {
#pragma unroll
    for (int i = 0; i < ROWS; i += THREADS / 4) {
      int row = i + tid / 4, chunk = tid % 4 * 8;
      *reinterpret_cast<uint4 *>(&As[at(row, chunk)]) =
          *reinterpret_cast<const uint4 *>(&aTile[row * k + start + chunk]);
    }
    __syncthreads();

#pragma unroll
    for (int j = 0; j < DEPTH; j += 16) {
      int chunk = j + lane / 16 * 8;
      uint4 b = *reinterpret_cast<const uint4 *>(
          &bTransposed[column * k + start + chunk]);
#pragma unroll
      for (int i = 0; i < ROWS / 16; ++i) {
        uint4 fromA = *reinterpret_cast<const uint4 *>(
            &As[at(lane % 16, chunk) + i * 16 * DEPTH]);
        sum[i] = multiplyAdd(fromA, b, sum[i]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < ROWS / 16; ++i) {
    float total = __low2float(sum[i]) + __high2float(sum[i]);
    total += __shfl_xor_sync(0xffffffff, total, 16);
    if (lane < 16)
      c[(blockIdx.y * ROWS + i * 16 + lane) * n + column] = total;
  }
}

#else

__global__ void __launch_bounds__(THREADS)
    hgemm(float *c, const __half *a, const __half *bTransposed, int n, int k) {
  __shared__ __align__(16) __half As[ROWS][DEPTH];

  int tid = threadIdx.x;
  int lane = tid % 32, warp = tid / 32;
  int column = blockIdx.x * COLUMNS + warp;
  const __half *aTile = &a[blockIdx.y * ROWS * k];

  __half2 sum[ROWS / 16] = {};
  for (int start = 0; start < k; start += DEPTH) {
#pragma unroll
    for (int i = 0; i < ROWS; i += THREADS / 4) {
      int row = i + tid / 4, chunk = tid % 4 * 8;
      *reinterpret_cast<uint4 *>(&As[row][chunk]) =
          *reinterpret_cast<const uint4 *>(&aTile[row * k + start + chunk]);
    }
    __syncthreads();

#pragma unroll
    for (int j = 0; j < DEPTH; j += 16) {
      int chunk = j + lane / 16 * 8;
      uint4 b = *reinterpret_cast<const uint4 *>(
          &bTransposed[column * k + start + chunk]);
#pragma unroll
      for (int i = 0; i < ROWS / 16; ++i) {
        uint4 fromA =
            *reinterpret_cast<const uint4 *>(&As[i * 16 + lane % 16][chunk]);
        sum[i] = multiplyAdd(fromA, b, sum[i]);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < ROWS / 16; ++i) {
    float total = __low2float(sum[i]) + __high2float(sum[i]);
    total += __shfl_xor_sync(0xffffffff, total, 16);
    if (lane < 16)
      c[(blockIdx.y * ROWS + i * 16 + lane) * n + column] = total;
  }
}

#endif

int main(int argc, char **argv) {
  // The rounds are steps of the loop: (size / 2) x (rounds * 32) times (rounds
  // * 32) x (size / 32).
  bench::Options options = bench::parse(argc, argv, {16384, 16}, 32 * COLUMNS);
  int m = options.work.size / 2, n = options.work.size / 32;
  int k = options.work.rounds * DEPTH;
  auto value = [](size_t i) { return __half(bench::number(i)); };
  bench::DeviceArray<__half> a(size_t(m) * k, value);
  bench::DeviceArray<__half> b(size_t(n) * k, value);
  bench::DeviceArray<float> c(size_t(m) * n);
  dim3 grid(n / COLUMNS, m / ROWS);
  return bench::run("hgemm", options, size_t(grid.x) * grid.y, c, [&] {
    hgemm<<<grid, THREADS>>>(c.get(), a.get(), b.get(), n, k);
  });
}
