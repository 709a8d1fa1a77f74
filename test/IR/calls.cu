// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// Calls are spliced in, known by name, or opaque.

#include "cuda.h"

__device__ float square(float x) { return x * x; }
__device__ void swap(float &a, float &b) {
  float t = a;
  a = b;
  b = t;
}
__device__ int countdown(int n) { return n > 0 ? countdown(n - 1) : n; }
__device__ float elsewhere(float *p);

// CHECK-LABEL: kernel spliced
// CHECK: %1 = load f32 [@*p]
// CHECK: store f32 [@*p], %1 * %1
__global__ void spliced(float *p) { *p = square(*p); }

// References lead to the shared array.
// CHECK-LABEL: kernel referred
// CHECK: load f32 [@s + s64(s32(threadIdx.x)) * 4]
// CHECK: load f32 [@s + 4]
// CHECK: store f32 [@s + s64(s32(threadIdx.x)) * 4], %
// CHECK: store f32 [@s + 4], %
__global__ void referred() {
  __shared__ float s[32];
  int t = threadIdx.x;
  swap(s[t], s[1]);
}

// A recursion is opaque; a variable that it cannot see stays a value.
// CHECK-LABEL: kernel recursive
// CHECK: opaque countdown
// CHECK: store s32 [@*p], %{{[0-9]+}} + 5
__global__ void recursive(int *p, int n) {
  int five = 5;
  *p = countdown(n) + five;
}

// What a function without a body gets, it may change.
// CHECK-LABEL: kernel unknown
// CHECK: @s shared 128 bytes
// CHECK: opaque elsewhere(@s + 16) @s
// CHECK-NEXT: may leave
__global__ void unknown(float *p) {
  __shared__ float s[32];
  *p = elsewhere(s + 4);
}

// CHECK-LABEL: kernel exchanged
// CHECK: shuffle warp __shfl_down_sync(
// CHECK: atomic device 4 bytes [@*p] atomicAdd(1)
__global__ void exchanged(int *p, int v) {
  v += __shfl_down_sync(~0u, v, 1);
  atomicAdd(p, 1);
  p[1] = v;
}

// A lambda that captures by reference costs nothing once it is spliced.
// CHECK-LABEL: kernel captured
// CHECK: B1: loop
// CHECK-NEXT: %1 = phi s32 [
// CHECK-NOT: opaque
// CHECK: leave
__global__ void captured(float *p, int n) {
  auto set = [&](int i) { p[i] = n; };
  for (int i = 0; i < n; ++i)
    set(i);
}

// A constant stays what it is, whoever gets a reference to it.
__device__ void look(const int &);
// CHECK-LABEL: kernel lookedAt
// CHECK: store s32 [@n], s32(threadIdx.x + 1)
// CHECK: opaque look(@n) @n
// CHECK: store s32 [@*p], s32(threadIdx.x + 1)
// CHECK: opaque look(@m) @m
// CHECK: %[[M:[0-9]+]] = load s32 [@m]
// CHECK: store s32 [@*p + 4], %[[M]]
__global__ void lookedAt(int *p) {
  const int n = threadIdx.x + 1;
  int m = n;
  look(n);
  p[0] = n;
  look(m);
  p[1] = m;
}

namespace std {
template <class T> __host__ __device__ const T &min(const T &, const T &);
template <class T> __host__ __device__ const T &max(const T &, const T &);
} // namespace std
// What is read at once of a choice by name is a number.
// CHECK-LABEL: kernel smaller
// CHECK: store s32 [@*p], (%n < 4) ? %n : 4
// CHECK: store s32 [@*p + 4], (%n < %1) ? %1 : %n
__global__ void smaller(int *p, int n) {
  p[0] = std::min(4, n);
  p[1] = std::max(n, p[2]);
}
// A reference is not read at once.
// CHECK-LABEL: kernel kept
// CHECK: opaque min
__global__ void kept(int *p, int n) {
  const int &least = std::min(p[0], n);
  p[1] = least;
}
