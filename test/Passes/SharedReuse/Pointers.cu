// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
//
// Ways for a pointer to reach an array that its reader cannot see by name. In each
// kernel `left` is read at the end, through a pointer, behind the use of `right`.
#include "cuda.h"

#define BEGIN                                                                  \
  __shared__ float left[64];                                                   \
  __shared__ float right[64];                                                  \
  int t = threadIdx.x;
#define MIDDLE                                                                 \
  left[t] = in[t];                                                             \
  __syncthreads();                                                             \
  right[t] = in[t + 64];                                                       \
  __syncthreads();                                                             \
  out[t] = right[63 - t];

struct View {
  float *p;
  __device__ View &at(float *q) {
    p = q;
    return *this;
  }
};
struct Pair {
  float *first, *second;
};
union Word {
  float *p;
  unsigned long long bits;
};
__device__ float *table[4];
__device__ void set(float **to, float *p) { *to = p; }
__device__ float (&same(float (&x)[64]))[64] { return x; }
__device__ Pair make(float *p, float *q) { return {p, q}; }
template <class T> __device__ void exchange(T &x, T &y) {
  T z = x;
  x = y;
  y = z;
}

// CHECK-LABEL: plan by_pointer_to_pointer
// CHECK: keep storage: no two of
__global__ void by_pointer_to_pointer(float *out, const float *in) {
  BEGIN float *p = right;
  set(&p, left);
  MIDDLE out[t] += p[t];
}

// CHECK-LABEL: plan by_method
// CHECK: keep storage: no two of
__global__ void by_method(float *out, const float *in) {
  BEGIN View v;
  v.at(same(left));
  MIDDLE out[t] += v.p[t];
}

// CHECK-LABEL: plan by_lambda
// CHECK: keep storage: no two of
__global__ void by_lambda(float *out, const float *in) {
  BEGIN float *p = right;
  auto f = [&] { p = left; };
  f();
  MIDDLE out[t] += p[t];
}

// CHECK-LABEL: plan by_union
// CHECK: keep storage: the bytes of a pointer to it are used
__global__ void by_union(float *out, const float *in) {
  BEGIN Word w;
  w.p = left;
  MIDDLE unsigned long long bits = w.bits;
  out[t] += ((float *)bits)[t];
}

// CHECK-LABEL: plan by_exchange
// CHECK: keep storage: no two of
__global__ void by_exchange(float *out, const float *in) {
  BEGIN float *p = left, *q = right;
  exchange(p, q);
  MIDDLE out[t] += q[t];
}

// CHECK-LABEL: plan by_binding
// CHECK: keep storage: no two of
__global__ void by_binding(float *out, const float *in) {
  BEGIN auto [p, q] = make(left, right);
  MIDDLE out[t] += p[t];
}

// CHECK-LABEL: plan by_global
// CHECK: keep storage: its address is stored to memory here
__global__ void by_global(float *out, const float *in) {
  BEGIN table[0] = left;
  MIDDLE out[t] += table[0][t];
}

// CHECK-LABEL: plan by_comparison
// CHECK: keep storage: no two of
__global__ void by_comparison(float *out, const float *in) {
  BEGIN float *p = left;
  MIDDLE out[t] += p == right;
}

void launch(float *out, const float *in) {
  by_pointer_to_pointer<<<1, 64>>>(out, in);
  by_method<<<1, 64>>>(out, in);
  by_lambda<<<1, 64>>>(out, in);
  by_union<<<1, 64>>>(out, in);
  by_exchange<<<1, 64>>>(out, in);
  by_binding<<<1, 64>>>(out, in);
  by_global<<<1, 64>>>(out, in);
  by_comparison<<<1, 64>>>(out, in);
}
