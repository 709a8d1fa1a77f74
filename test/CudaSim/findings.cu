// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %exits 4 %cuda-sim %s 4 2>&1 | FileCheck %s
//
// Each kind of defect is told with its line, and fails a run that would have
// succeeded.
//
// CHECK: findings.cu:[[#@LINE+15]]:{{[0-9]+}}: error: memory is accessed outside of any allocation (nearest: cudaMalloc #1){{.*}} [global-out-of-bounds]
// CHECK-NEXT: in outOfBounds(int*), launch 1, grid (1,1,1), block (33,1,1)
// CHECK-NEXT: findings.cu:[[#@LINE+18]]:{{[0-9]+}}: error: {{.*}}Buffer{{.*}} [shared-out-of-bounds]
// CHECK-NEXT: in sharedOutOfBounds(int*)
// CHECK-NEXT: findings.cu:[[#@LINE+26]]:{{[0-9]+}}: error: Buffer is read before it is written{{.*}} [uninitialised]
// CHECK-NEXT: in uninitialised(int*)
// CHECK-NEXT: findings.cu:[[#@LINE+29]]:{{[0-9]+}}: error: {{.*}}barrier{{.*}} [divergent-barrier]
// CHECK-NEXT: in divergent(int*)
// CHECK-NEXT: data 40
// CHECK-NEXT: cuda-sim: 4 launches, {{[0-9]+}} warp instructions, 4 findings

#include <cstdio>
#include <cstdlib>

__global__ void outOfBounds(int *Data) {
  Data[threadIdx.x] = 1;
}

__global__ void sharedOutOfBounds(int *Data) {
  __shared__ int Buffer[32];
  Buffer[threadIdx.x + 1] = 1;
  __syncwarp();
  Data[threadIdx.x] = Buffer[threadIdx.x / 2 + 1];
}

__global__ void uninitialised(int *Data) {
  __shared__ int Buffer[32];
  if (threadIdx.x != 5)
    Buffer[threadIdx.x] = 1;
  __syncwarp();
  Data[threadIdx.x] = Buffer[threadIdx.x];
}

__global__ void divergent(int *Data) {
  if (threadIdx.x < 16)
    __syncthreads();
  Data[threadIdx.x] = 40;
}

int main(int argc, char **argv) {
  int *Data, Host;
  cudaMalloc(&Data, 128);
  outOfBounds<<<1, 33>>>(Data);
  sharedOutOfBounds<<<1, 32>>>(Data);
  uninitialised<<<1, 32>>>(Data);
  divergent<<<1, 32>>>(Data);
  cudaMemcpy(&Host, Data + 31, 4, cudaMemcpyDeviceToHost);
  printf("data %d\n", Host);
  return argc > 1 ? atoi(argv[1]) : 0;
}
