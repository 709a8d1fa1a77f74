// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
//
// Dynamic shared memory has the size of the launch; above 48 KiB a kernel asks
// first.
//
// CHECK: reversed 31 0
// CHECK-NEXT: cuda-sim: error: reverse(int*, int) is not launched: 65536 bytes of dynamic shared memory, of at most 49152 [api-error]
// CHECK-NEXT: large invalid argument
// CHECK-NEXT: allowed no error, reversed 31 0

#include <cstdio>

__global__ void reverse(int *Data, int Offset) {
  extern __shared__ int Buffer[];
  Buffer[Offset + threadIdx.x] = Data[threadIdx.x];
  __syncthreads();
  Data[threadIdx.x] = Buffer[Offset + blockDim.x - 1 - threadIdx.x];
}

int main() {
  int Host[64], *Data;
  cudaMalloc(&Data, sizeof Host);
  auto Run = [&](int Bytes) {
    for (int I = 0; I < 64; ++I)
      Host[I] = I % 32;
    cudaMemcpy(Data, Host, sizeof Host, cudaMemcpyHostToDevice);
    reverse<<<1, 64, Bytes>>>(Data, Bytes / 4 - 64);
    cudaError_t Result = cudaGetLastError();
    cudaMemcpy(Host, Data, sizeof Host, cudaMemcpyDeviceToHost);
    return Result;
  };
  Run(sizeof Host);
  printf("reversed %d %d\n", Host[0], Host[63]);
  printf("large %s\n", cudaGetErrorString(Run(65536)));
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  cudaError_t Result = Run(65536);
  printf("allowed %s, reversed %d %d\n", cudaGetErrorString(Result), Host[0],
         Host[63]);
}
