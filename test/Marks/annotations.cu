// RUN: %cuda-opt --passes=bank-layout --print=plan %s -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout --report=json:%t.json -q -o %t.cu %s -- %cuda-flags -I %include-runtime
// RUN: FileCheck %s --check-prefix=ID < %t.json
// RUN: %cuda-opt -Rpass-missed=.* %s -o %t.cu -- %cuda-flags -I %include-runtime 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags -I %include-runtime | FileCheck %s --check-prefix=REUSE
//
// CUDAOPT_OFF and CUDAOPT_KEEP leave alone what they stand in front of, and the
// remark stands where they do. CUDAOPT_ASSUME_BLOCK takes the place of --block.
//
// CHECK-NOT: warning
// ID: "origin": "mark"
// ID: "reason": "marked-off"

#include "cuda.h"
#include "cudaopt/annotations.h"

// CHECK-LABEL: plan kept
// CHECK-NEXT: keep tile: it is marked to be left alone: CUDAOPT_KEEP in line [[#@LINE+4]]
// CHECK-NEXT: layout other
// REMARK: :[[#@LINE+2]]:3: remark: shared array 'tile' keeps its layout: it is marked to be left alone
CUDAOPT_ASSUME_BLOCK(32, 32, 1) __global__ void kept() {
  CUDAOPT_KEEP __shared__ float tile[32][32];
  __shared__ float other[32][32];
  tile[threadIdx.x][threadIdx.y] = 0;
  other[threadIdx.x][threadIdx.y] = 0;
}

// CHECK-LABEL: plan whole
// CHECK-NEXT: keep tile: it is marked to be left alone: CUDAOPT_OFF in line [[#@LINE+1]]
CUDAOPT_OFF __global__ void __launch_bounds__(1024) CUDAOPT_ASSUME_BLOCK(32, 32)
whole() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 0;
}

// Of a function that is marked, no text changes.
// CHECK-LABEL: plan called
// CHECK-NEXT: keep tile: it is marked to be left alone: CUDAOPT_OFF in line [[#@LINE+1]]
CUDAOPT_OFF __device__ void store(float (*a)[32]) {
  a[threadIdx.x][threadIdx.y] = 0;
}
CUDAOPT_ASSUME_BLOCK(32, 32, 1) __global__ void called() {
  __shared__ float tile[32][32];
  store(tile);
}

// `a` and `b` could share bytes, but for the mark; `b` and `c` do.
// REUSE-LABEL: plan apart
// REUSE-NEXT: storage (b | c): bytes 3072 -> 2048
CUDAOPT_ASSUME_BLOCK(256) __global__ void apart(float *out) {
  CUDAOPT_KEEP __shared__ float a[256];
  __shared__ float b[256];
  __shared__ float c[256];
  a[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  float x = a[255 - threadIdx.x];
  b[threadIdx.x] = x;
  __syncthreads();
  x = b[255 - threadIdx.x];
  __syncthreads();
  c[threadIdx.x] = x;
  __syncthreads();
  out[threadIdx.x] = c[255 - threadIdx.x];
}

// Instances of a template have the marks of their text.
// CHECK-LABEL: plan instances
// CHECK-NEXT: keep tile: it is marked to be left alone: CUDAOPT_KEEP in line
template <int N>
CUDAOPT_ASSUME_BLOCK(32, 32) __global__ void instances() {
  CUDAOPT_KEEP __shared__ float tile[N][N];
  tile[threadIdx.x][threadIdx.y] = 0;
}
template __global__ void instances<32>();

// A mark stays in front of a declaration that becomes a field.
// CHECK-LABEL: plan fields
// CHECK-NOT: marks nothing
CUDAOPT_ASSUME_BLOCK(32) __global__ void fields() {
  __shared__ union {
    CUDAOPT_LAYOUT(pad) float a[32];
  } reused;
  reused.a[threadIdx.x] = 0;
}
