// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %exits 1 %cuda-sim %s wrong 2>&1 | FileCheck %s --check-prefix=WRONG
//
// Variables of the device are reached by their symbols, those that are managed
// by both sides.
//
// CHECK: initial 7 size 16
// CHECK-NEXT: scaled 20 40 counter 33
// CHECK-NEXT: managed 5 + 2 = 7, array 100 101
// WRONG: cudaMemcpyToSymbol: 8 bytes at 12 exceed Factors, which has 16 [api-error]
// WRONG: invalid argument

#include <cstdio>

__constant__ int Factors[4];
__device__ int Counter = 7;
__managed__ int Managed = 5;
__device__ __managed__ int Array[2] = {10, 11};

__global__ void scale(int *Out) {
  Out[threadIdx.x] = Factors[threadIdx.x] * 10;
  atomicAdd(&Counter, 27 / blockDim.x);
  if (threadIdx.x == 0)
    Managed += 2;
  Array[threadIdx.x] += 90;
}

int main(int argc, char **argv) {
  int Value, Host[] = {0, 2, 4, 0}, *Out;
  if (argc > 1) {
    cudaError_t Error = cudaMemcpyToSymbol(Factors, Host, 8, 12);
    printf("%s\n", cudaGetErrorString(Error));
    return 0;
  }
  size_t Size;
  cudaMemcpyFromSymbol(&Value, Counter, sizeof Value);
  cudaGetSymbolSize(&Size, Factors);
  printf("initial %d size %zu\n", Value, Size);
  cudaMemcpyToSymbol(Factors, Host + 1, 8);
  cudaMalloc(&Out, 8);
  int Before = Managed;
  scale<<<1, 2>>>(Out);
  cudaMemcpy(Host, Out, 8, cudaMemcpyDeviceToHost);
  void *Address;
  cudaGetSymbolAddress(&Address, Counter);
  cudaMemcpy(&Value, Address, sizeof Value, cudaMemcpyDefault);
  printf("scaled %d %d counter %d\n", Host[0], Host[1], Value);
  printf("managed %d + 2 = %d, array %d %d\n", Before, Managed, Array[0],
         Array[1]);
}
