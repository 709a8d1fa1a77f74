// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
//
// A place in managed memory is told by the name of the allocation and a number
// of bytes: where the host has it says nothing.
//
// CHECK-NOT: address 0x
// CHECK: error: memory is accessed outside of any allocation (nearest: cudaMallocManaged #1) at byte 32, thread 0 of block (0,0,0) [global-out-of-bounds]
// CHECK-NOT: address 0x
// CHECK: error: the address is no multiple of the size of the access at byte 2 of cudaMallocManaged #1, thread 0 of block (0,0,0) [misaligned]
// CHECK-NOT: address 0x
// CHECK: error: memory is accessed outside of any allocation (nearest: Table) at byte -4, thread 0 of block (0,0,0) [global-out-of-bounds]
// CHECK-NOT: address 0x
// CHECK: error: cudaMallocManaged #2 is accessed after it was freed at byte 8, thread 0 of block (0,0,0) [use-after-free]
// CHECK: 4 findings

#include <cuda_runtime.h>

__managed__ int Table[4];

__global__ void set(int *data) { *data = 1; }

__global__ void setByte(char *data) { *reinterpret_cast<int *>(data) = 1; }

__global__ void setTable(int index) { Table[index] = 1; }

__global__ void setFreed(int *data) { data[2] = 1; }

int main() {
  int *data, *freed;
  cudaMallocManaged(&data, 32);
  cudaMallocManaged(&freed, 32);
  set<<<1, 1>>>(data + 8);
  setByte<<<1, 1>>>(reinterpret_cast<char *>(data) + 2);
  setTable<<<1, 1>>>(-1);
  cudaFree(freed);
  setFreed<<<1, 1>>>(freed);
}
