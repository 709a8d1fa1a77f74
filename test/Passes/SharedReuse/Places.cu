// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s
//
// Where declarations stand: several in a statement, in blocks of their own, with
// attributes; and where a reference is no name of an array: lambdas and decltype.
#include "cuda.h"

// CHECK-LABEL: void several(
// CHECK-NEXT: __shared__ union {
// CHECK-NEXT:   float a[64];
// CHECK-NEXT:   float c[8 * 8];
// CHECK-NEXT: } reused;
// CHECK-NEXT: __shared__ float b[64];
// CHECK-NEXT: auto &a = reused.a;
// CHECK-NEXT: auto &c = reused.c;
__global__ void several(float *out) {
  __shared__ float a[64], b[64], c[8 * 8];
  int t = threadIdx.x;
  a[t] = out[t];
  b[t] = out[t + 64];
  __syncthreads();
  float x = a[63 - t];
  __syncthreads();
  c[t] = x;
  __syncthreads();
  out[t] = b[63 - t] + c[63 - t];
}

// CHECK-LABEL: void blocks(
// CHECK: __shared__ union {
// CHECK-NEXT:   float a[64];
// CHECK-NEXT:   alignas(8) int b[64];
// CHECK-NEXT: } reused;
// CHECK-NEXT: if (n) {
// CHECK-NEXT:   auto &a = reused.a;
// CHECK:      } else {
// CHECK-NEXT:   auto &b = reused.b;
__global__ void blocks(float *out, int n) {
  int t = threadIdx.x;
  if (n) {
    __shared__ float a[64];
    a[t] = out[t];
    __syncthreads();
    out[t] = a[63 - t];
  } else {
    alignas(8) __shared__ int b[64];
    b[t] = out[t];
    __syncthreads();
    out[t] = b[63 - t];
  }
}

// CHECK-LABEL: void names(
// CHECK: __shared__ union {
// CHECK: auto get = [=](int i) { return reused.a[i]; };
// CHECK: decltype(reused.b) *p = nullptr;
// CHECK: out[t] = b[63 - t] + sizeof(b)
__global__ void names(float *out) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  auto get = [=](int i) { return a[i]; };
  a[t] = out[t];
  __syncthreads();
  float x = get(63 - t);
  __syncthreads();
  decltype(b) *p = nullptr;
  b[t] = x;
  __syncthreads();
  out[t] = b[63 - t] + sizeof(b) + (p == nullptr);
}

void launch(float *out, int n) {
  several<<<1, 64>>>(out);
  blocks<<<1, 64>>>(out, n);
  names<<<1, 64>>>(out);
}
