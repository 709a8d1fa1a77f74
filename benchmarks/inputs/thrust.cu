// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A heavy file: thrust and cub, whose headers dwarf the kernel.

#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

constexpr int Tile = 32;

// Adds up, for each block, the products of its tile and its tile transposed.
__global__ void multiplyByTranspose(float *sums, const float *in) {
  using Reduce =
      cub::BlockReduce<float, Tile, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Tile>;
  __shared__ typename Reduce::TempStorage scratch;
  __shared__ float tile[Tile][Tile];
  tile[threadIdx.y][threadIdx.x] =
      in[(blockIdx.x * Tile + threadIdx.y) * Tile + threadIdx.x];
  __syncthreads();
  float product =
      tile[threadIdx.y][threadIdx.x] * tile[threadIdx.x][threadIdx.y];
  float sum = Reduce(scratch).Sum(product);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    sums[blockIdx.x] = sum;
}

int main() {
  constexpr int Blocks = 256;
  thrust::device_vector<float> in(Blocks * Tile * Tile, 1.0f);
  thrust::device_vector<float> sums(Blocks);
  multiplyByTranspose<<<Blocks, dim3(Tile, Tile)>>>(
      thrust::raw_pointer_cast(sums.data()),
      thrust::raw_pointer_cast(in.data()));
  thrust::sort(sums.begin(), sums.end());
  std::printf("%g\n", thrust::reduce(sums.begin(), sums.end()));
}
