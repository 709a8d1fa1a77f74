// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A middling file: cooperative groups, whose headers are larger than CUDA's.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int Tile = 32;

// Sums the columns of a matrix that is Tile wide, Tile rows a block.
__global__ void sumColumns(float *sums, const float *in) {
  __shared__ float tile[Tile][Tile];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<Tile> warp = cg::tiled_partition<Tile>(block);
  int row = blockIdx.x * Tile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[row * Tile + threadIdx.x];
  __syncthreads();
  float sum =
      cg::reduce(warp, tile[threadIdx.x][threadIdx.y], cg::plus<float>());
  if (warp.thread_rank() == 0)
    atomicAdd(&sums[threadIdx.y], sum);
}

int main() {
  constexpr int Blocks = 256;
  float *in, *sums;
  cudaMalloc(&in, Blocks * Tile * Tile * sizeof(float));
  cudaMalloc(&sums, Tile * sizeof(float));
  sumColumns<<<Blocks, dim3(Tile, Tile)>>>(sums, in);
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
