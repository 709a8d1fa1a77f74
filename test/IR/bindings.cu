// RUN: %cuda-opt --print=ir %s -- %cuda-flags -std=c++20 | FileCheck %s
//
// Structured bindings are other names: of shared memory, or of a copy.

#include "cuda.h"

namespace std {
template <class T> struct tuple_size;
template <unsigned long I, class T> struct tuple_element;
} // namespace std
struct Pair {
  int a[2];
  template <int I> __device__ int &get() { return a[I]; }
};
template <> struct std::tuple_size<Pair> {
  static constexpr int value = 2;
};
template <unsigned long I> struct std::tuple_element<I, Pair> {
  using type = int;
};
struct Three {
  float x, y;
  int n;
};

// CHECK-LABEL: kernel members
// CHECK: store f32 [@s + u64(threadIdx.x) * 12], %v
// CHECK: %1 = load s32 [@t]
// CHECK: store s32 [@s + u64(threadIdx.x) * 12 + 8], %1
// CHECK: store s32 [@t + 4], 4
__global__ void members(float v) {
  __shared__ Three s[8];
  __shared__ int t[2];
  auto &[x, y, n] = s[threadIdx.x];
  auto &[a, b] = t;
  x = v;
  n = a;
  b = 4;
}

// A copy of an array does not change with it.
// CHECK-LABEL: kernel copied
// CHECK: copy 8 bytes [@[[COPY:[a-z.0-9]+]]], @m + u64(threadIdx.x) * 8
// CHECK-NOT: opaque
// CHECK: store f32 [@m + u64(threadIdx.x) * 8], %v
// CHECK: store f32 [@*o], %{{[0-9]+}} + %{{[0-9]+}}
__global__ void copied(float *o, float v) {
  __shared__ float m[4][2];
  auto [c, d] = m[threadIdx.x];
  m[threadIdx.x][0] = v;
  o[0] = c + d;
}

// CHECK-LABEL: kernel tuples
// CHECK: store s32 [@s + u64(threadIdx.x) * 8], 1
// CHECK: %1 = load s32 [@s + u64(threadIdx.x) * 8 + 4]
// CHECK: store s32 [@*o], %1
__global__ void tuples(int *o) {
  __shared__ Pair s[4];
  auto &[p, q] = s[threadIdx.x];
  p = 1;
  *o = q;
}

struct Counted {
  int v;
  __device__ Counted(int v) : v(v) {}
  __device__ Counted(const Counted &o) : v(o.v + 1) {}
};
struct Many {
  Counted c[2];
};
// Elements whose copy is a function are copied one by one.
// CHECK-LABEL: kernel counted
// CHECK: store s32 [@*o], 15
__global__ void counted(int *o) {
  Many m = {{5, 8}};
  auto [c] = m;
  *o = c[0].v + c[1].v;
}
