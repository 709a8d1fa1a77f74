// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of matrices of halves. Slices are kept as they are, and read element
// by element in a nest that is unrolled: the compiler loads each element once,
// four neighbours together, and adds two results at a time, as long as it sees
// that they are neighbours.

#include "SlicedProduct.h"
#include <cuda_fp16.h>

using bench::DEPTH;
using bench::EDGE;
using bench::PITCH_A;
using bench::PITCH_B;
using bench::TILE;

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
  return bench::runSlicedProduct<__half>(
      "hgemm_sliced", argc, argv, [](dim3 grid, auto... arguments) {
        hgemmSliced<<<grid, dim3(16, 16)>>>(arguments...);
      });
}
