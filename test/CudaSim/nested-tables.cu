// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim --banks %s 2>&1 | FileCheck %s
//
// A static table may lead to shared arrays through another table.
//
// CHECK: 162 162
// CHECK: 0 findings

#include <cstdio>

struct Row {
  int *const *arrays;
  int tag;
};

__device__ int *choose(int row, int column) {
  __shared__ int a[32], b[32], c[32], d[32];
  static int *const first[2] = {a, b}, *const second[2] = {c, d};
  static const Row rows[2] = {{first, 1}, {second, 2}};
  return rows[row].arrays[column];
}

__global__ void fill(int *out) {
  const int t = threadIdx.x;
  choose(1, 0)[t] = t;
  choose(0, 1)[t] = 100 + t;
  __syncthreads();
  out[t] = choose(1, 0)[31 - t] + choose(0, 1)[31 - t] + 2 * t;
}

int main() {
  int *out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  fill<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[31]);
}
