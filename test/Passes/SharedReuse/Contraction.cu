// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse -Rpass-missed=.* %s -- %cuda-flags 2> %t.err | grep -v '^ *//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -- %cuda-flags -fmad=false | grep -v '^ *//' | FileCheck %s --check-prefix=APART
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -- %cuda-flags -fmad=false -use_fast_math | grep -v '^ *//' | FileCheck %s --check-prefix=FAST
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -- %cuda-flags -forward-unknown-to-host-compiler -ffp-contract=off | grep -v '^ *//' | FileCheck %s
//
// A product that a shared array holds is rounded before a sum uses it. Where
// the array becomes a variable, the text keeps it so, or the array stays.
#include "cuda.h"
struct pair {
  float x, y;
};
__device__ inline pair make_pair(float x, float y) { return {x, y}; }
__device__ float unknown(float x);
__device__ inline float scaled(float x) { return x * 3.0f; }
__device__ inline float shifted(float x) { return x + 3.0f; }
#define PRODUCT(a, b) a * b

// CHECK-LABEL: void direct(
// CHECK: u = __fmul_rn(1.1f, in[t]);
// APART-LABEL: void direct(
// APART: float u;
// APART: u = 1.1f * in[t];
__global__ void direct(float *out, const float *in) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = 1.1f * in[t];
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// FAST-LABEL: void direct(
// FAST: u = __fmul_rn(1.1f, in[t]);
// FAST-LABEL: void harmless(
// FAST: float u;
// FAST: __shared__ float v[256];

// Without a barrier, nvcc makes one operation of the product and the sum, which it
// takes from the store.
// CHECK-LABEL: void read_back(
// CHECK: __shared__ float u[256];
// REMARK: remark: shared array 'u' stays in shared memory, although each thread has one element of it: the product 'in[t] * w' is stored to it and read back before a barrier
// APART-LABEL: void read_back(
// APART: float u;
// APART: u = in[t] * w;
__global__ void read_back(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w;
  out[t] = u[t] + in[t + 1];
  __syncthreads();
  out[t + 256] = u[t];
}

// The barrier before the read does not come between in the next round.
// CHECK-LABEL: void read_back_in_loop(
// CHECK: __shared__ float u[256];
// APART-LABEL: void read_back_in_loop(
// APART: float u;
__global__ void read_back_in_loop(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = 0;
  for (int i = 0; i < 9; ++i) {
    out[t] += u[t];
    __syncthreads();
    u[t] = in[t + i] * w;
  }
}

// nvcc removes an array that nothing else reads, unless it shares bytes.
// CHECK-LABEL: void read_back_beside(
// CHECK: __shared__ float v[512];
// CHECK: __shared__ float u[512];
// REMARK: remark: shared memory of kernel 'read_back_beside' is not reused: the product 'in[t] * w' is stored to it and read back before a barrier
// APART-LABEL: void read_back_beside(
// APART: union
__global__ void read_back_beside(float *out, const float *in, float w) {
  __shared__ float v[512];
  __shared__ float u[512];
  int t = threadIdx.x;
  v[t] = in[t];
  v[t + 256] = in[t + 256];
  __syncthreads();
  out[t + 256] = v[511 - t];
  __syncthreads();
  u[t] = in[t] * w;
  u[t + 256] = in[t];
  out[t] = u[t] + in[t + 7];
}

// CHECK-LABEL: void wide(
// CHECK: u = -(__dmul_rn(in[t], (w * w)));
__global__ void wide(double *out, const double *in, double w) {
  __shared__ double u[256];
  int t = threadIdx.x;
  u[t] = -(in[t] * (w * w));
  __syncthreads();
  out[t] += u[t];
}

// CHECK-LABEL: void chosen(
// CHECK: u = t < 9 ? __fmul_rn(in[t], w) : in[t] + w;
__global__ void chosen(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = t < 9 ? in[t] * w : in[t] + w;
  __syncthreads();
  out[t] = u[t] - 1;
}

// CHECK-LABEL: void scaled_in_place(
// CHECK: u = in[t];
// CHECK: u = __fmul_rn(u, w);
// CHECK: u = __fmul_rn(u, 1.0f / 4);
// CHECK: u += in[t + 1] * w;
__global__ void scaled_in_place(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t];
  __syncthreads();
  u[t] *= w;
  __syncthreads();
  u[t] /= 4;
  __syncthreads();
  u[t] += in[t + 1] * w;
  __syncthreads();
  out[t] = u[t] - 1;
}

// CHECK-LABEL: void members(
// CHECK: u.x = __fmul_rn(in[t], w);
// CHECK: u.y = in[t] / w;
__global__ void members(float *out, const float *in, float w) {
  __shared__ pair u[256];
  int t = threadIdx.x;
  u[t].x = in[t] * w;
  u[t].y = in[t] / w;
  __syncthreads();
  out[t] = u[t].x + u[t].y;
}

// Sums, differences, quotients, numbers and values of memory need nothing.
// CHECK-LABEL: void harmless(
// CHECK: u = in[t] * w + 1;
// CHECK: v = -in[t] / w;
// CHECK: n = t * 3;
// CHECK: c = 0.5f;
// CHECK: s = shifted(in[t]);
__global__ void harmless(float *out, const float *in, float w) {
  __shared__ float u[256];
  __shared__ float v[256];
  __shared__ int n[256];
  __shared__ float c[256];
  __shared__ float s[256];
  int t = threadIdx.x;
  u[t] = in[t] * w + 1;
  v[t] = -in[t] / w;
  n[t] = t * 3;
  c[t] = 0.5f;
  s[t] = shifted(in[t]);
  __syncthreads();
  out[t] = u[t] + v[t] + n[t] + c[t] + s[t];
}

// Through a variable, a function, a macro, a read-back of memory.
// CHECK-LABEL: void indirect(
// CHECK: __shared__ float a[256], b[256];
// CHECK: __shared__ float c[256];
// CHECK: __shared__ float d[256];
// CHECK: __shared__ float e[256];
// REMARK-DAG: 'a' {{.*}}in a register 'p' might be rounded together with a sum
// REMARK-DAG: 'b' {{.*}}in a register 'unknown(in[t])' might be
// REMARK-DAG: 'c' {{.*}}in a register 'scaled(in[t])' might be
// REMARK-DAG: 'd' {{.*}}in a register 'PRODUCT(in[t], w)' might be
// REMARK-DAG: 'e' {{.*}}in a register 'other[t]' might be
// APART-LABEL: void indirect(
// APART: float a, b;
// APART: float c;
// APART: float d;
// APART: float e;
__global__ void indirect(float *out, float *other, const float *in, float w) {
  __shared__ float a[256], b[256];
  __shared__ float c[256];
  __shared__ float d[256];
  __shared__ float e[256];
  int t = threadIdx.x;
  float p = in[t] * w;
  other[t] = in[t + 1] * w;
  a[t] = p;
  b[t] = unknown(in[t]);
  c[t] = scaled(in[t]);
  d[t] = PRODUCT(in[t], w);
  e[t] = other[t];
  __syncthreads();
  out[t] = 1 + a[t] + b[t] + c[t] + d[t] + e[t];
}

// The product of a value that a register shows to be one, before and after a
// barrier: a compiler that sees one product for both rounds it by itself.
// CHECK-LABEL: void twins(
// CHECK: __shared__ float u[256];
// REMARK: 'u' {{.*}}in a register it would show the compiler that a product has the value of 'u[t] * w'
__global__ void twins(float *out, float *other, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] + 1;
  __syncthreads();
  other[t] = u[t] * w;
  __syncthreads();
  out[t] = u[t] * w + 2;
}

// A stored product, of which another sum has its own.
// CHECK-LABEL: void stored_twin(
// CHECK: __shared__ float u[256];
__global__ void stored_twin(float *out, float *other, float x, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  float a = x + t;
  u[t] = a * w;
  __syncthreads();
  other[t] = u[t] - 1;
  out[t] = w * a + 2;
}

// Products of other numbers are none of its business.
// CHECK-LABEL: void no_twins(
// CHECK: float u;
__global__ void no_twins(float *out, float *other, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] + 1;
  __syncthreads();
  out[t] = u[t] * w + in[t] * w;
}

// CHECK-LABEL: void bits(
// CHECK: __shared__ int u[256];
// CHECK: int v;
__device__ inline int __float_as_int(float x) { return *(int *)&x; }
__device__ inline float __int_as_float(int x) { return *(float *)&x; }
__global__ void bits(float *out, const float *in, const int *n, float w) {
  __shared__ int u[256];
  __shared__ int v[256];
  int t = threadIdx.x;
  u[t] = __float_as_int(in[t] * w);
  v[t] = n[t] * 3;
  __syncthreads();
  out[t] = __int_as_float(u[t]) + v[t];
}

// What memory held before the kernel is no product of it.
// CHECK-LABEL: void read_before(
// CHECK: u = out[t];
__global__ void read_before(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = out[t];
  __syncthreads();
  out[t] = w * u[t];
  out[t + 512] = u[t] + w;
}

// CHECK-LABEL: void read_again(
// CHECK: u[t] = out[t];
__global__ void read_again(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  for (int i = 0; i < 9; ++i) {
    u[t] = out[t];
    __syncthreads();
    out[t + 512] = u[t] + w;
    out[t] = w * in[t + i];
  }
}

void launch(float *f, double *d, int *n) {
  direct<<<1, 256>>>(f, f);
  read_back<<<1, 256>>>(f, f, 0.5f);
  read_back_in_loop<<<1, 256>>>(f, f, 0.5f);
  read_back_beside<<<1, 256>>>(f, f, 0.5f);
  wide<<<1, 256>>>(d, d, 0.5);
  chosen<<<1, 256>>>(f, f, 0.5f);
  scaled_in_place<<<1, 256>>>(f, f, 0.5f);
  members<<<1, 256>>>(f, f, 0.5f);
  harmless<<<1, 256>>>(f, f, 0.5f);
  indirect<<<1, 256>>>(f, f, f, 0.5f);
  twins<<<1, 256>>>(f, f, f, 0.5f);
  stored_twin<<<1, 256>>>(f, f, 1, 0.5f);
  no_twins<<<1, 256>>>(f, f, f, 0.5f);
  bits<<<1, 256>>>(f, f, n, 0.5f);
  read_before<<<1, 256>>>(f, f, 0.5f);
  read_again<<<1, 256>>>(f, f, 0.5f);
}
