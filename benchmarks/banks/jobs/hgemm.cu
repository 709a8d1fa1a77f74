// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 26 and 26b: a tile of halves on its way to the tensor cores. It is
// written by rows in pieces of 16 bytes; then a lane reads 8 halves of the row
// that a ldmatrix of four 8 x 8 matrices would have it name. The fragments are
// stored in the order of the lanes.

#include <cuda_fp16.h>

__global__ void job26_hgemm_fragments_32(uint4 *fragments, const __half *a,
                                         int pitch) {
  __shared__ __align__(16) __half A[128][32];
  const int thread = threadIdx.x;
  const int warp = thread / 32;
  const int lane = thread % 32;
  const int first = blockIdx.x * 128;

  for (int i = 0; i < 4; ++i) {
    const int row = (thread + 128 * i) / 4;
    const int col = thread % 4 * 8;
    *reinterpret_cast<uint4 *>(&A[row][col]) =
        *reinterpret_cast<const uint4 *>(&a[(first + row) * pitch + col]);
  }
  __syncthreads();

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const int row = warp * 32 + 16 * i + lane % 16;
      const int col = 16 * j + lane / 16 * 8;
      fragments[((first / 16 + warp * 2 + i) * 2 + j) * 32 + lane] =
          *reinterpret_cast<const uint4 *>(&A[row][col]);
    }
}

__global__ void job26b_hgemm_fragments_64(uint4 *fragments, const __half *a,
                                          int pitch) {
  __shared__ __align__(16) __half A[128][64];
  const int thread = threadIdx.x;
  const int warp = thread / 32;
  const int lane = thread % 32;
  const int first = blockIdx.x * 128;

  for (int i = 0; i < 8; ++i) {
    const int row = (thread + 128 * i) / 8;
    const int col = thread % 8 * 8;
    *reinterpret_cast<uint4 *>(&A[row][col]) =
        *reinterpret_cast<const uint4 *>(&a[(first + row) * pitch + col]);
  }
  __syncthreads();

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      const int row = warp * 32 + 16 * i + lane % 16;
      const int col = 16 * j + lane / 16 * 8;
      fragments[((first / 16 + warp * 2 + i) * 4 + j) * 32 + lane] =
          *reinterpret_cast<const uint4 *>(&A[row][col]);
    }
}

void launch26(uint4 *fragments, const __half *a, int rows, int pitch) {
  job26_hgemm_fragments_32<<<rows / 128, 128>>>(fragments, a, pitch);
}

void launch26b(uint4 *fragments, const __half *a, int rows, int pitch) {
  job26b_hgemm_fragments_64<<<rows / 128, 128>>>(fragments, a, pitch);
}
