// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse -Rpass-missed=.* %s -- %cuda-flags 2> %t.err | grep -v '^ *//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
//
// Compilers fold what is no product by its text until one is left: x - 0, 1 * x,
// members of temporaries, references, functions. An array stays unless its values
// are surely none, or are products that the text can round.
#include "cuda.h"
struct V {
  float x;
  __device__ V operator*(float y) { return {x * y}; }
  __device__ operator float() const { return x; }
};
struct Scaled {
  float x;
  __device__ Scaled(float y) : x(y * 3) {}
};
__device__ inline const float &same(const float &x) { return x; }
__device__ inline float eight() { return 8; }
__device__ int __float_as_int(float x);
__device__ float __int_as_float(int x);

// CHECK-LABEL: void minus_zero(
// CHECK: __shared__ float u[256];
__global__ void minus_zero(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w - 0.f;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void plus_minus_zero(
// CHECK: __shared__ float u[256];
__global__ void plus_minus_zero(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w + -0.f;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void zero_of_variable(
// CHECK: __shared__ float u[256];
__global__ void zero_of_variable(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  float zero = 0;
  u[t] = in[t] * w - zero;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void times_one(
// CHECK: __shared__ float u[256];
__global__ void times_one(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w * 1.0f;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void times_two(
// CHECK: __shared__ float u[256];
__global__ void times_two(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w * 2.0f;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void over_half(
// CHECK: __shared__ float u[256];
__global__ void over_half(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w / 0.5f;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void one_of_variable(
// CHECK: __shared__ float u[256];
__global__ void one_of_variable(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  float one = 1;
  u[t] = one * (in[t] * w);
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void member(
// CHECK: __shared__ float u[256];
__global__ void member(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = V{in[t] * w}.x;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void member_of_operator(
// CHECK: __shared__ float u[256];
__global__ void member_of_operator(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = (V{in[t]} * w).x;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void reference(
// CHECK: __shared__ float u[256];
__global__ void reference(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  float z = in[t] * w;
  float &q = z;
  u[t] = q;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void pointer(
// CHECK: __shared__ float u[256];
__global__ void pointer(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  float z = in[t] * w;
  float *q = &z;
  u[t] = *q;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void pointer_to_array(
// CHECK: __shared__ float u[256];
__global__ void pointer_to_array(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  float z[2] = {in[t], w};
  float *q = z;
  z[0] = in[t] * w;
  u[t] = q[0];
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void binding(
// CHECK: __shared__ float u[256];
__global__ void binding(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  V z{in[t] * w};
  auto [q] = z;
  u[t] = q;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void conversion(
// CHECK: __shared__ float u[256];
__global__ void conversion(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = float(V{in[t] * w});
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void handed_on(
// CHECK: __shared__ float u[256];
__global__ void handed_on(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = same(in[t] * w);
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void quotient(
// CHECK: __shared__ float u[256];
__global__ void quotient(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] / eight();
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void quotient_of_variable(
// CHECK: __shared__ float u[256];
__global__ void quotient_of_variable(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  float four = 4;
  u[t] = in[t] / four;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void constructed(
// CHECK: __shared__ float u[256];
__global__ void constructed(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = Scaled(in[t]).x;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void bits(
// CHECK: __shared__ float u[256];
__global__ void bits(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = __int_as_float(__float_as_int(in[t] * w) | 0);
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void one_in_use(
// CHECK: __shared__ float u[256];
__global__ void one_in_use(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = 1.f;
  __syncthreads();
  out[t] = in[t] * w * u[t] + 3;
}

// CHECK-LABEL: void minus_zero_in_use(
// CHECK: __shared__ float u[256];
__global__ void minus_zero_in_use(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = -0.f;
  __syncthreads();
  out[t] = in[t] * w + u[t] + 3;
}

// CHECK-LABEL: void four_in_use(
// CHECK: __shared__ float u[256];
__global__ void four_in_use(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = 4.f;
  __syncthreads();
  out[t] = in[t] / u[t] + 3;
}

// What is surely no product, or is one in the text.

// CHECK-LABEL: void sum(
// CHECK: float u;
__global__ void sum(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w + 1;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void loads(
// CHECK: float u;
__global__ void loads(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * w - in[t + 1];
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void row(
// CHECK: float u;
__global__ void row(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  const float *row = in + 9;
  u[t] = row[t];
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void by_load(
// CHECK: float u;
__global__ void by_load(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] / in[t + 1];
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void three(
// CHECK: float u;
__global__ void three(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] * in[t + 1] * w;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void reference_to_memory(
// CHECK: float u;
__global__ void reference_to_memory(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  const float &q = in[t];
  u[t] = q;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// CHECK-LABEL: void third(
// CHECK: float u;
__global__ void third(float *out, const float *in, float w) {
  __shared__ float u[256];
  int t = threadIdx.x;
  u[t] = in[t] / 3;
  __syncthreads();
  out[t] = in[t + 1] + u[t];
}

// The first of them, and a use.
// REMARK: 'u' {{.*}}in a register 'in[t] * w - 0.f' might be rounded together with a sum
// REMARK: 'u' {{.*}}in a register 'in[t] * w * u[t]' might be
void launch(float *f) {
  minus_zero<<<1, 256>>>(f, f, 0.5f);
  plus_minus_zero<<<1, 256>>>(f, f, 0.5f);
  zero_of_variable<<<1, 256>>>(f, f, 0.5f);
  times_one<<<1, 256>>>(f, f, 0.5f);
  times_two<<<1, 256>>>(f, f, 0.5f);
  over_half<<<1, 256>>>(f, f, 0.5f);
  one_of_variable<<<1, 256>>>(f, f, 0.5f);
  member<<<1, 256>>>(f, f, 0.5f);
  member_of_operator<<<1, 256>>>(f, f, 0.5f);
  reference<<<1, 256>>>(f, f, 0.5f);
  pointer<<<1, 256>>>(f, f, 0.5f);
  pointer_to_array<<<1, 256>>>(f, f, 0.5f);
  binding<<<1, 256>>>(f, f, 0.5f);
  conversion<<<1, 256>>>(f, f, 0.5f);
  handed_on<<<1, 256>>>(f, f, 0.5f);
  quotient<<<1, 256>>>(f, f, 0.5f);
  quotient_of_variable<<<1, 256>>>(f, f, 0.5f);
  constructed<<<1, 256>>>(f, f, 0.5f);
  bits<<<1, 256>>>(f, f, 0.5f);
  one_in_use<<<1, 256>>>(f, f, 0.5f);
  minus_zero_in_use<<<1, 256>>>(f, f, 0.5f);
  four_in_use<<<1, 256>>>(f, f, 0.5f);
  sum<<<1, 256>>>(f, f, 0.5f);
  loads<<<1, 256>>>(f, f, 0.5f);
  row<<<1, 256>>>(f, f, 0.5f);
  by_load<<<1, 256>>>(f, f, 0.5f);
  three<<<1, 256>>>(f, f, 0.5f);
  reference_to_memory<<<1, 256>>>(f, f, 0.5f);
  third<<<1, 256>>>(f, f, 0.5f);
}
