// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim --banks %s 2>&1 | FileCheck %s
//
// Tables of shared arrays hold the addresses that the arrays have in each
// kernel, whether copied where they are declared or static.
//
// CHECK: 64 63 1064 1063
// CHECK: 0 findings

#include <cstdio>

__global__ void buffers(int *out) {
  __shared__ int a[64], b[64];
  int *buffer[2] = {a, b};
  const int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) {
    buffer[i & 1][t] = t + i;
    __syncthreads();
    out[t] = buffer[i & 1][63 - t];
  }
}

__device__ int *choose(int which) {
  __shared__ int first[32], c[64];
  static int *const all[2] = {first, c};
  return all[which];
}

__global__ void others(int *out) {
  __shared__ int padding[7];
  padding[threadIdx.x % 7] = 0;
  choose(1)[threadIdx.x] = 1000 + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = choose(1)[63 - threadIdx.x] + 1 + padding[0];
}

int main() {
  int *out, host[64];
  cudaMallocManaged(&out, sizeof host);
  buffers<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d ", out[0], out[1]);
  others<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[1]);
}
