// RUN: %cuda-opt --assume-closed-world --print=model %s -- %cuda-flags | FileCheck %s
//
// An array of a device function is seen from every kernel that calls it.

#include "cuda.h"

// Two kernels of different shapes, one of them through another function.
// CHECK-LABEL: kernel transpose
// CHECK-NOT: blocked
// CHECK: block 32x8x1 (launch) grid 1x1x1 of direct, 1 barriers, 4096 shared bytes
// CHECK: write 4 bytes line [[#@LINE+8]] interval 0: {{.*}} -> tile[t1, t0] {{.*}} t1 <= 7
// CHECK: read 4 bytes line [[#@LINE+9]] interval 1: {{.*}} -> tile[t0, t1]
// CHECK: block 16x16x1 (launch) grid 1x1x1 of indirect, 1 barriers, 4160 shared bytes
// CHECK: -> tile[t1, 16 + t0] {{.*}} t1 <= 15
// CHECK: -> tile[t0, t1]
// CHECK-NEXT: kernel direct
__device__ float transpose(float In, int Column) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x + Column] = In;
  __syncthreads();
  return tile[threadIdx.x][threadIdx.y];
}
__device__ void onTheWay(float *Out) { *Out = transpose(*Out, 16); }
__global__ void direct(float *Out) { *Out = transpose(*Out, 0); }
__global__ void indirect(float *Out) {
  __shared__ float own[16];
  own[threadIdx.x] = 0;
  onTheWay(Out);
}

// Two specialisations are instances of one array.
// CHECK-LABEL: kernel scale
// CHECK: of both
// CHECK: array row[32]
// CHECK: -> row[t0]
// CHECK: of both
// CHECK: array row[64]
// CHECK: -> row[2t0]
template <int N> __device__ void scale() {
  __shared__ float row[32 * N];
  row[threadIdx.x * N] = 0;
}
__global__ void both() {
  scale<1>();
  scale<2>();
}

// Two calls from one kernel are two accesses of the same text.
// CHECK-LABEL: kernel store
// CHECK: write 4 bytes line [[#@LINE+5]] {{.*}} -> cells[t0]
// CHECK-NEXT: write 4 bytes line [[#@LINE+4]] {{.*}} -> cells[32 + t0]
// CHECK-NOT: write 4
__device__ void store(int At) {
  __shared__ float cells[64];
  cells[threadIdx.x + At] = 0;
}
__global__ void storesTwice() {
  store(0);
  store(32);
}

// An array of a device function that goes to another one.
__device__ void clear(float *Part) { Part[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel passesOn
// CHECK-NOT: blocked
// CHECK: of callsPassesOn
// CHECK: write 4 bytes line [[#@LINE-4]] in clear {{.*}} -> part[2t0]
__device__ void passesOn() {
  __shared__ float part[64];
  clear(part);
}
__global__ void callsPassesOn() { passesOn(); }

void launch(float *F) {
  direct<<<1, dim3(32, 8)>>>(F);
  indirect<<<1, dim3(16, 16)>>>(F);
  both<<<1, 32>>>();
  storesTwice<<<1, 32>>>();
  callsPassesOn<<<1, 32>>>();
}
