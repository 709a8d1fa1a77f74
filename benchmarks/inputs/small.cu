// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small file: CUDA's own headers, one kernel whose tile conflicts.

#include <cstdio>
#include <cuda_runtime.h>

constexpr int Tile = 32;

__global__ void transpose(float *out, const float *in, int width, int height) {
  __shared__ float tile[Tile][Tile];
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  if (x < height && y < width)
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  constexpr int Width = 1024, Height = 512;
  float *in, *out;
  cudaMalloc(&in, Width * Height * sizeof(float));
  cudaMalloc(&out, Width * Height * sizeof(float));
  transpose<<<dim3(Width / Tile, Height / Tile), dim3(Tile, Tile)>>>(
      out, in, Width, Height);
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
