// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
//
// A launch that no device can make does not run, and is told.
//
// CHECK: cuda-sim: error: kernel(int*) is not launched: the block has 1056 threads, of at most 1024 [api-error]
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK-NEXT: cuda-sim: error: kernel(int*) is not launched: a dimension of the grid or of the block is 0 [api-error]
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK-NEXT: cuda-sim: error: kernel(int*) is not launched: 49153 bytes of dynamic shared memory, of at most 49152 [api-error]
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK-NEXT: cuda-sim: error: kernel(int*) is not launched: the grid has 65536 blocks in y, of at most 65535 [api-error]
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK-NEXT: cuda-sim: error: bounded(int*) is not launched: the block has 65 threads, of at most 64 [api-error]
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK-NEXT: cuda-sim: error: oversized(int*) is not launched: its shared arrays have 49156 bytes, of at most 49152 [api-error]
// CHECK-NEXT: cudaErrorInvalidValue
// CHECK-NEXT: cuda-sim: error: the program launches a function that is no kernel [api-error]
// CHECK-NEXT: cudaErrorInvalidResourceHandle
// CHECK-NEXT: last cudaSuccess, data 0
// CHECK-NEXT: cuda-sim: 0 launches

#include <cstdio>

__global__ void kernel(int *Data) { *Data = 1; }
__global__ void __launch_bounds__(64) bounded(int *Data) { *Data = 1; }
__global__ void oversized(int *Data) {
  __shared__ int Array[12289];
  Array[0] = 1;
  *Data = Array[0];
}
static void function() {}

static void show() { printf("%s\n", cudaGetErrorName(cudaGetLastError())); }

int main() {
  int *Data;
  cudaMallocManaged(&Data, 4);
  kernel<<<1, dim3(32, 33)>>>(Data);
  show();
  kernel<<<0, 32>>>(Data);
  show();
  kernel<<<1, 32, 49153>>>(Data);
  show();
  kernel<<<dim3(1, 65536), 1>>>(Data);
  show();
  bounded<<<1, 65>>>(Data);
  show();
  oversized<<<1, 1>>>(Data);
  show();
  cudaLaunchKernel((const void *)function, 1, 1, nullptr, 0, 0);
  show();
  printf("last %s, data %d\n", cudaGetErrorName(cudaPeekAtLastError()), *Data);
}
