// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim --arch=sm_80 %s 2>&1 | FileCheck %s --check-prefix=SM80
//
// The device answers as an H200, or as the GPU of --arch.
//
// CHECK: cuda-sim 9.0, 132 multiprocessors, 49152 to 232448 bytes
// CHECK-NEXT: device 1: invalid device ordinal
// CHECK-NEXT: kernel 16384 bytes, 64 threads, 32768 bytes more
// CHECK-NEXT: 13 blocks
// CHECK-NEXT: suggested 64 threads
// SM80: cuda-sim 8.0, 132 multiprocessors, 49152 to 166912 bytes

#include <cstdio>

__global__ void __launch_bounds__(64) kernel(float *Data) {
  __shared__ float Buffer[4096];
  Buffer[threadIdx.x] = Data[threadIdx.x];
  __syncthreads();
  Data[threadIdx.x] = Buffer[63 - threadIdx.x];
}

int main() {
  cudaDeviceProp P;
  cudaGetDeviceProperties(&P, 0);
  printf("%s %d.%d, %d multiprocessors, %zu to %zu bytes\n", P.name, P.major,
         P.minor, P.multiProcessorCount, P.sharedMemPerBlock,
         P.sharedMemPerBlockOptin);
  printf("device 1: %s\n", cudaGetErrorString(cudaGetDeviceProperties(&P, 1)));
  cudaFuncAttributes A;
  cudaFuncGetAttributes(&A, kernel);
  printf("kernel %zu bytes, %d threads, %d bytes more\n", A.sharedSizeBytes,
         A.maxThreadsPerBlock, A.maxDynamicSharedSizeBytes);
  int Blocks, Grid, Threads;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, kernel, 64, 0);
  printf("%d blocks\n", Blocks);
  cudaOccupancyMaxPotentialBlockSize(&Grid, &Threads, kernel);
  printf("suggested %d threads\n", Threads);
}
