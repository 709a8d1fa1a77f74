// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of matrices of floats. Slices are kept as they are, and read element
// by element in a nest that is unrolled: the compiler loads each element once,
// and four neighbours together, as long as it sees that they are neighbours.

#include "SlicedProduct.h"

using bench::DEPTH;
using bench::EDGE;
using bench::PITCH_A;
using bench::PITCH_B;
using bench::TILE;

__global__ void sgemmSliced(float *c, const float *a, const float *b, int n,
                            int k) {
  __shared__ __align__(16) float As[TILE][PITCH_A];
  __shared__ __align__(16) float Bs[DEPTH][PITCH_B];

  int tx = threadIdx.x, ty = threadIdx.y;
  int tid = ty * 16 + tx;
  int aRow = tid / 2, aColumn = tid % 2 * 4;
  int bRow = tid / 32, bColumn = tid % 32 * 4;
  const float *aFrom = a + (blockIdx.y * TILE + aRow) * k + aColumn;
  const float *bFrom = b + bRow * n + blockIdx.x * TILE + bColumn;

  float sum[EDGE][EDGE] = {};
  for (int start = 0; start < k; start += DEPTH) {
    *reinterpret_cast<float4 *>(&As[aRow][aColumn]) =
        *reinterpret_cast<const float4 *>(aFrom + start);
    *reinterpret_cast<float4 *>(&Bs[bRow][bColumn]) =
        *reinterpret_cast<const float4 *>(bFrom + start * n);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DEPTH; ++i)
#pragma unroll
      for (int y = 0; y < EDGE; ++y)
#pragma unroll
        for (int x = 0; x < EDGE; ++x)
          sum[y][x] += As[ty * EDGE + y][i] * Bs[i][tx * EDGE + x];
    __syncthreads();
  }

#pragma unroll
  for (int y = 0; y < EDGE; ++y)
#pragma unroll
    for (int x = 0; x < EDGE; x += 4)
      *reinterpret_cast<float4 *>(&c[(blockIdx.y * TILE + ty * EDGE + y) * n +
                                     blockIdx.x * TILE + tx * EDGE + x]) =
          make_float4(sum[y][x], sum[y][x + 1], sum[y][x + 2], sum[y][x + 3]);
}

int main(int argc, char **argv) {
  return bench::runSlicedProduct<float>(
      "sgemm_sliced", argc, argv, [](dim3 grid, auto... arguments) {
        sgemmSliced<<<grid, dim3(16, 16)>>>(arguments...);
      });
}
