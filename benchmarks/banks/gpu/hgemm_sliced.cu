// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of matrices of halves: a block of 16 x 16 threads has 128 x 128
// results, a thread 8 x 8. Slices are kept as they are, and read element by
// element in a nest that is unrolled: the compiler loads each element once,
// four neighbours together, and adds two results at a time, as long as it sees
// that they are neighbours.

#include "Bench.h"
#include <cuda_fp16.h>

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int EDGE = 8;

#if defined(PADDED)
constexpr int PITCH_A = DEPTH + 4, PITCH_B = TILE + 4;
#else
constexpr int PITCH_A = DEPTH, PITCH_B = TILE;
#endif

__global__ void hgemmSliced(__half *c, const __half *a, const __half *b, int n,
                            int k) {
  __shared__ __align__(16) __half As[TILE][PITCH_A];
  __shared__ __align__(16) __half Bs[DEPTH][PITCH_B];

  int tx = threadIdx.x, ty = threadIdx.y;
  int tid = ty * 16 + tx;
  int aRow = tid / 2, aColumn = tid % 2 * 4;
  int bRow = tid / 32, bColumn = tid % 32 * 4;
  const __half *aFrom = a + (blockIdx.y * TILE + aRow) * k + aColumn;
  const __half *bFrom = b + bRow * n + blockIdx.x * TILE + bColumn;

  __half sum[EDGE][EDGE] = {};
  for (int start = 0; start < k; start += DEPTH) {
    *reinterpret_cast<float2 *>(&As[aRow][aColumn]) =
        *reinterpret_cast<const float2 *>(aFrom + start);
    *reinterpret_cast<float2 *>(&Bs[bRow][bColumn]) =
        *reinterpret_cast<const float2 *>(bFrom + start * n);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DEPTH; ++i)
#pragma unroll
      for (int y = 0; y < EDGE; ++y)
#pragma unroll
        for (int x = 0; x < EDGE; ++x)
          sum[y][x] =
              __hfma(As[ty * EDGE + y][i], Bs[i][tx * EDGE + x], sum[y][x]);
    __syncthreads();
  }

#pragma unroll
  for (int y = 0; y < EDGE; ++y)
#pragma unroll
    for (int x = 0; x < EDGE; x += 4)
      *reinterpret_cast<float2 *>(&c[(blockIdx.y * TILE + ty * EDGE + y) * n +
                                     blockIdx.x * TILE + tx * EDGE + x]) =
          *reinterpret_cast<float2 *>(&sum[y][x]);
}

int main(int argc, char **argv) {
  // The rounds are steps of the loop: n x (rounds * 8) times (rounds * 8) x n.
  bench::Options options = bench::parse(argc, argv, {2048, 256}, TILE);
  int n = options.work.size, k = options.work.rounds * DEPTH;
  size_t count = size_t(n) * k;
  auto value = [](size_t i) { return __half(bench::number(i)); };
  bench::DeviceArray<__half> a(count, value);
  bench::DeviceArray<__half> b(count,
                               [&](size_t i) { return value(i + count); });
  bench::DeviceArray<__half> c(size_t(n) * n);
  dim3 grid(n / TILE, n / TILE);
  return bench::run("hgemm_sliced", options, size_t(grid.x) * grid.y, c, [&] {
    hgemmSliced<<<grid, dim3(16, 16)>>>(c.get(), a.get(), b.get(), n, k);
  });
}
