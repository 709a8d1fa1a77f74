// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of matrices of floats: a block of 256 threads has 128 x 128 results,
// a thread 8 x 8. A tile of the first matrix is transposed on its way to shared
// memory, where both are read four floats at a time. The pitch of padded rows
// is 4 floats longer, as float4 must stay aligned: that does not help with the
// second tile, whose conflicts lie within a row.

#include "Bench.h"

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int THREADS = 256;

#if defined(PADDED)

__global__ void __launch_bounds__(THREADS, 2)
    sgemm(float *c, const float *a, const float *b, int n, int k) {
  __shared__ __align__(16) float As[DEPTH][TILE + 4];
  __shared__ __align__(16) float Bs[DEPTH][TILE + 4];

  int tid = threadIdx.x;
  int tx = tid % 16, ty = tid / 16;
  int aRow = tid / 2, aColumn = tid % 2 * 4;
  int bRow = tid / 32, bColumn = tid % 32 * 4;
  const float *aTile = &a[(blockIdx.y * TILE + aRow) * k + aColumn];
  const float *bTile = &b[bRow * n + blockIdx.x * TILE + bColumn];

  float sum[8][8] = {};
  for (int start = 0; start < k; start += DEPTH) {
    float4 fromA = *reinterpret_cast<const float4 *>(&aTile[start]);
    float4 fromB = *reinterpret_cast<const float4 *>(&bTile[start * n]);
    As[aColumn + 0][aRow] = fromA.x;
    As[aColumn + 1][aRow] = fromA.y;
    As[aColumn + 2][aRow] = fromA.z;
    As[aColumn + 3][aRow] = fromA.w;
    *reinterpret_cast<float4 *>(&Bs[bRow][bColumn]) = fromB;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      float4 a0 = *reinterpret_cast<const float4 *>(&As[i][ty * 8]);
      float4 a1 = *reinterpret_cast<const float4 *>(&As[i][ty * 8 + 4]);
      float4 b0 = *reinterpret_cast<const float4 *>(&Bs[i][tx * 8]);
      float4 b1 = *reinterpret_cast<const float4 *>(&Bs[i][tx * 8 + 4]);
      float column[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      float row[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int y = 0; y < 8; ++y)
#pragma unroll
        for (int x = 0; x < 8; ++x)
          sum[y][x] += column[y] * row[x];
    }
    __syncthreads();
  }

  float *cTile =
      &c[(blockIdx.y * TILE + ty * 8) * n + blockIdx.x * TILE + tx * 8];
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; x += 4)
      *reinterpret_cast<float4 *>(&cTile[y * n + x]) =
          make_float4(sum[y][x], sum[y][x + 1], sum[y][x + 2], sum[y][x + 3]);
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(THREADS, 2)
    sgemm(float *c, const float *a, const float *b, int n, int k) {
  __shared__ __align__(16) float As[DEPTH * TILE];
  __shared__ __align__(16) float Bs[DEPTH * TILE];
  auto atA = [](int row, int column) {
    return bench::swizzle<1, 4, 5, TILE>(row, column);
  };
  auto atB = [](int row, int column) {
    return row * TILE + bench::swizzle<1, 2, 3>(column);
  };

  int tid = threadIdx.x;
  int tx = tid % 16, ty = tid / 16;
  int aRow = tid / 2, aColumn = tid % 2 * 4;
  int bRow = tid / 32, bColumn = tid % 32 * 4;
  const float *aTile = &a[(blockIdx.y * TILE + aRow) * k + aColumn];
  const float *bTile = &b[bRow * n + blockIdx.x * TILE + bColumn];

  float sum[8][8] = {};
  for (int start = 0; start < k; start += DEPTH) {
    float4 fromA = *reinterpret_cast<const float4 *>(&aTile[start]);
    float4 fromB = *reinterpret_cast<const float4 *>(&bTile[start * n]);
    As[atA(aColumn + 0, aRow)] = fromA.x;
    As[atA(aColumn + 1, aRow)] = fromA.y;
    As[atA(aColumn + 2, aRow)] = fromA.z;
    As[atA(aColumn + 3, aRow)] = fromA.w;
    *reinterpret_cast<float4 *>(&Bs[atB(bRow, bColumn)]) = fromB;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      float4 a0 = *reinterpret_cast<const float4 *>(&As[atA(i, ty * 8)]);
      float4 a1 = *reinterpret_cast<const float4 *>(&As[atA(i, ty * 8 + 4)]);
      float4 b0 = *reinterpret_cast<const float4 *>(&Bs[atB(i, tx * 8)]);
      float4 b1 = *reinterpret_cast<const float4 *>(&Bs[atB(i, tx * 8 + 4)]);
      float column[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      float row[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int y = 0; y < 8; ++y)
#pragma unroll
        for (int x = 0; x < 8; ++x)
          sum[y][x] += column[y] * row[x];
    }
    __syncthreads();
  }

  float *cTile =
      &c[(blockIdx.y * TILE + ty * 8) * n + blockIdx.x * TILE + tx * 8];
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; x += 4)
      *reinterpret_cast<float4 *>(&cTile[y * n + x]) =
          make_float4(sum[y][x], sum[y][x + 1], sum[y][x + 2], sum[y][x + 3]);
}

#else

__global__ void __launch_bounds__(THREADS, 2)
    sgemm(float *c, const float *a, const float *b, int n, int k) {
  __shared__ __align__(16) float As[DEPTH][TILE];
  __shared__ __align__(16) float Bs[DEPTH][TILE];

  int tid = threadIdx.x;
  int tx = tid % 16, ty = tid / 16;
  int aRow = tid / 2, aColumn = tid % 2 * 4;
  int bRow = tid / 32, bColumn = tid % 32 * 4;
  const float *aTile = &a[(blockIdx.y * TILE + aRow) * k + aColumn];
  const float *bTile = &b[bRow * n + blockIdx.x * TILE + bColumn];

  float sum[8][8] = {};
  for (int start = 0; start < k; start += DEPTH) {
    float4 fromA = *reinterpret_cast<const float4 *>(&aTile[start]);
    float4 fromB = *reinterpret_cast<const float4 *>(&bTile[start * n]);
    As[aColumn + 0][aRow] = fromA.x;
    As[aColumn + 1][aRow] = fromA.y;
    As[aColumn + 2][aRow] = fromA.z;
    As[aColumn + 3][aRow] = fromA.w;
    *reinterpret_cast<float4 *>(&Bs[bRow][bColumn]) = fromB;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      float4 a0 = *reinterpret_cast<const float4 *>(&As[i][ty * 8]);
      float4 a1 = *reinterpret_cast<const float4 *>(&As[i][ty * 8 + 4]);
      float4 b0 = *reinterpret_cast<const float4 *>(&Bs[i][tx * 8]);
      float4 b1 = *reinterpret_cast<const float4 *>(&Bs[i][tx * 8 + 4]);
      float column[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      float row[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int y = 0; y < 8; ++y)
#pragma unroll
        for (int x = 0; x < 8; ++x)
          sum[y][x] += column[y] * row[x];
    }
    __syncthreads();
  }

  float *cTile =
      &c[(blockIdx.y * TILE + ty * 8) * n + blockIdx.x * TILE + tx * 8];
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; x += 4)
      *reinterpret_cast<float4 *>(&cTile[y * n + x]) =
          make_float4(sum[y][x], sum[y][x + 1], sum[y][x + 2], sum[y][x + 3]);
}

#endif

int main(int argc, char **argv) {
  // The rounds are steps of the loop: n x (rounds * 8) times (rounds * 8) x n.
  bench::Options options = bench::parse(argc, argv, {2048, 256}, TILE);
  int n = options.work.size, k = options.work.rounds * DEPTH;
  size_t count = size_t(n) * k;
  bench::DeviceArray<float> a(count, bench::number);
  bench::DeviceArray<float> b(
      count, [&](size_t i) { return bench::number(i + count); });
  bench::DeviceArray<float> c(size_t(n) * n);
  dim3 grid(n / TILE, n / TILE);
  return bench::run("sgemm", options, size_t(grid.x) * grid.y, c, [&] {
    sgemm<<<grid, THREADS>>>(c.get(), a.get(), b.get(), n, k);
  });
}
