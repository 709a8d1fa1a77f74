// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --verify=machine -Rpass=.* %s -- %cuda-flags 2>%t.err | grep -v '^ *//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROVED --input-file=%t.err
//
// Arrays of functions that one kernel calls share bytes with each other and with the
// kernel's, in an object in front of the first function.
#include "cuda.h"

namespace turns {
typedef float Cell;
// PROVED-DAG: rewrite of kernel 'turns::turn' verified: proved equal for all data
// CHECK: typedef float Cell;
// CHECK-NEXT: static __shared__ union {
// CHECK-NEXT:   Cell tile[64];
// CHECK-NEXT:   Cell tile2[8 * 8];
// CHECK-NEXT: } reused_by_turn;
// CHECK-NEXT: static __device__ float first(float x) {
// CHECK-NEXT:   auto &tile = reused_by_turn.tile;
static __device__ float first(float x) {
  __shared__ Cell tile[64];
  tile[threadIdx.x] = x;
  __syncthreads();
  return tile[63 - threadIdx.x];
}
// CHECK: float second(float x) {
// CHECK-NEXT: auto &tile = reused_by_turn.tile2;
__device__ float second(float x) {
  __shared__ Cell tile[8 * 8];
  tile[threadIdx.x] = x;
  __syncthreads();
  auto get = [](int i) { return tile[i]; };
  // CHECK: auto get = [](int i) { return reused_by_turn.tile2[i]; };
  return get(threadIdx.x ^ 1);
}
__global__ void turn(float *out) {
  float x = first(out[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = second(x);
}
} // namespace turns

// PROVED-DAG: rewrite of kernel 'own' verified: proved equal for all data
// CHECK: __shared__ union {
// CHECK-NEXT:   float inner[64];
// CHECK-NEXT:   float outer[64];
// CHECK-NEXT: } reused_by_own;
// CHECK-NEXT: __device__ float callee(float x) {
// CHECK-NEXT:   auto &inner = reused_by_own.inner;
// CHECK: void own(
// CHECK-NEXT:   auto &outer = reused_by_own.outer;
__device__ float callee(float x) {
  __shared__ float inner[64];
  inner[threadIdx.x] = x;
  __syncthreads();
  return inner[63 - threadIdx.x];
}
__global__ void own(float *out) {
  __shared__ float outer[64];
  float x = callee(out[threadIdx.x]);
  __syncthreads();
  outer[threadIdx.x] = x;
  __syncthreads();
  out[threadIdx.x] = outer[threadIdx.x ^ 1];
}

// Both in one function: the object stands there.
// PROVED-DAG: rewrite of kernel 'calls_inside' verified: proved equal for all data
// CHECK: float inside(float x) {
// CHECK-NEXT: __shared__ union {
// CHECK: } {{reused[0-9]?}};
__device__ float inside(float x) {
  __shared__ float early[64];
  __shared__ float late[64];
  early[threadIdx.x] = x;
  __syncthreads();
  x = early[63 - threadIdx.x];
  __syncthreads();
  late[threadIdx.x] = x;
  __syncthreads();
  return late[threadIdx.x ^ 1];
}
__global__ void calls_inside(float *out) {
  out[threadIdx.x] = inside(out[threadIdx.x]);
}

void launch(float *out) {
  turns::turn<<<1, 64>>>(out);
  own<<<1, 64>>>(out);
  calls_inside<<<1, 64>>>(out);
}
