// RUN: %cuda-opt --assume-closed-world --check --report=json:%t.json %s -- %cuda-flags || true
// RUN: FileCheck %s --input-file=%t.json
//
// What becomes private takes no wavefronts any more, and a kernel that nobody launches
// has a verdict on its storage.
#include "cuda.h"

// CHECK: "reason": "becomes-private",
// CHECK: "wavefronts": {
// CHECK-NEXT: "after": 0,
// CHECK-NEXT: "before": 64,
// CHECK-NEXT: "bound": 0
// CHECK: "name": "own",
// CHECK: "private": [
// CHECK-NEXT: "column"
// CHECK: "wavefronts": {
// CHECK-NEXT: "after": 0,
// CHECK-NEXT: "before": 64,
__global__ void own(float *out) {
  __shared__ float column[32][32];
  column[threadIdx.x][0] = out[threadIdx.x];
  out[threadIdx.x] = 2 * column[threadIdx.x][0];
}

// CHECK: "name": "nobody",
// CHECK: "storage": {
// CHECK: "reason": "not-instantiated",
template <int N> __global__ void nobody(float *out) {
  __shared__ float a[N], b[N];
  a[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = a[threadIdx.x ^ 1];
  __syncthreads();
  out[threadIdx.x] = b[threadIdx.x ^ 1];
}

void launch(float *out) { own<<<1, 32>>>(out); }
