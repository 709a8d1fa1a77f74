// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
//
// A pointer that leads nowhere is called what it is.
//
// CHECK: bad-pointers.cu:[[#@LINE+11]]:{{[0-9]+}}: error: memory is accessed through a null pointer at address 0x4, thread 1 of block (0,0,0) [null-pointer]
// CHECK: bad-pointers.cu:[[#@LINE+15]]:{{[0-9]+}}: error: cudaMalloc #1 is accessed after it was freed at byte 4, thread 1 of block (0,0,0) [use-after-free]
// CHECK: bad-pointers.cu:[[#@LINE+19]]:{{[0-9]+}}: error: the pointer is to none of the device's memory, perhaps to the host's at address 0x{{[0-9a-f]+}}, thread 1 of block (0,0,0) [host-pointer]
// CHECK: bad-pointers.cu:[[#@LINE+23]]:{{[0-9]+}}: error: memory is accessed outside of any allocation (nearest: cudaMalloc #2) at byte 4, thread 1 of block (0,0,0) [global-out-of-bounds]
// CHECK: cuda-sim: 4 launches, {{.*}}, 4 findings

#include <cstdlib>
#include <cuda_runtime.h>

__global__ void null(int *data) {
  if (threadIdx.x == 1)
    data[threadIdx.x] = 1;
}

__global__ void freed(int *data) {
  if (threadIdx.x == 1)
    data[threadIdx.x] = 1;
}

__global__ void host(int *data) {
  if (threadIdx.x == 1)
    data[threadIdx.x] = 1;
}

__global__ void outside(int *data) {
  if (threadIdx.x == 1)
    data[threadIdx.x] = 1;
}

int main() {
  int *data, *other;
  cudaMalloc(&data, 32);
  cudaMalloc(&other, 4);
  null<<<1, 2>>>(nullptr);
  cudaFree(data);
  freed<<<1, 2>>>(data);
  host<<<1, 2>>>(static_cast<int *>(malloc(32)));
  outside<<<1, 2>>>(other);
}
