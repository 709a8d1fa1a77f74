// REQUIRES: cuda
// RUN: %cuda-sim %s | FileCheck %s
//
// What kernels print stands between what the host prints before and after.
//
// CHECK: before
// CHECK-NEXT: thread 0: 0.5 'text' 7000000000
// CHECK-NEXT: thread 1: 1.5 'text' 7000000001
// CHECK-NEXT: after

#include <cstdio>

__global__ void speak() {
  printf("thread %d: %.1f '%s' %lld\n", threadIdx.x, threadIdx.x + 0.5, "text",
         7000000000LL + threadIdx.x);
}

int main() {
  printf("before\n");
  speak<<<1, 2>>>();
  cudaDeviceSynchronize();
  printf("after\n");
}
