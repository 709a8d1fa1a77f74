// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
//
// Inline assembly of the host is assembled.
//
// CHECK: 7

#include <cstdio>

__global__ void set(int *data) { *data = 7; }

int main() {
  int *data;
  cudaMallocManaged(&data, sizeof(int));
  set<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  asm volatile("nop" ::: "memory");
  printf("%d\n", *data);
}
