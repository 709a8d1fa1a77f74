// RUN: %cuda-opt --assume-closed-world --passes=bank-layout -Rpass=bank-layout -Rpass-missed=bank-layout %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout -Rpass=bank-layout -Rpass-missed=bank-layout %s -o %t.cu -- %cuda-flags -fmad=false 2>&1 | FileCheck %s --check-prefix=APART
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout -Rpass-missed=bank-layout %s -o %t.cu -- %cuda-flags -prec-div=false 2>&1 | FileCheck %s --check-prefix=APPROXIMATE
//
// A product is written, then another element, then the product is read, without a
// barrier. Whether a compiler takes it from the write, and fuses it with the sum,
// depends on what it knows of the two places: they stay. A quotient is a product
// only where the divisor may be a number that the compiler knows.
#include "cuda.h"

// CHECK: remark: shared array 'u' keeps its layout: the product 'in[t + i] * w' is stored to it and read back before a barrier
// APART: remark: shared array 'u' is stored as
__global__ void number_between(float *out, const float *in, float w) {
  __shared__ float u[32 * 32];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    u[t * 32 + i] = in[t + i] * w;
    u[t * 32 + (i ^ 1)] = in[t];
    out[t + i] = u[t * 32 + i] + in[t + 7];
  }
}

// CHECK: remark: shared array 'part' keeps its layout: the product 'in[t + i] * w' is stored to it
// APART: remark: shared array 'part' is stored as
__global__ void part(float *out, const float *in, float w) {
  extern __shared__ float all[];
  float *part = all;
  float *rest = all + 32 * 32;
  int t = threadIdx.x;
  rest[t] = in[t];
  for (int i = 0; i < 32; ++i) {
    part[t * 32 + i] = in[t + i] * w;
    part[t * 32 + (i ^ 1)] = in[t];
    out[t + i] = part[t * 32 + i] + in[t + 7];
  }
  __syncthreads();
  out[t + 256] = rest[31 - t];
}

__device__ void put(float *p, int t, int i, float x, float w) {
  p[t * 32 + i] = x * w;
}
// CHECK: remark: shared array 'given' keeps its layout: the product '{{.*}}' is stored to it
// APART: remark: shared array 'given' is stored as
__global__ void stored_by_callee(float *out, const float *in, float w) {
  __shared__ float given[32 * 32];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    put(given, t, i, in[t + i], w);
    given[t * 32 + (i ^ 1)] = 0;
    out[t + i] = given[t * 32 + i] + in[t + 7];
  }
}

// CHECK: remark: shared array 'apart' is stored as
__global__ void barrier_between(float *out, const float *in, float w) {
  __shared__ float apart[32 * 32];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    apart[t * 32 + i] = in[t + i] * w;
    apart[t * 32 + (i ^ 1)] = in[t];
    __syncthreads();
    out[t + i] = apart[t * 32 + i] + in[t + 7];
  }
}

// As in a decomposition: each element is computed from others.
// CHECK: remark: shared array 'lu' is stored as
// APPROXIMATE: remark: shared array 'lu' keeps its layout: the product
__global__ void quotient(float *out, const float *in) {
  __shared__ float lu[32 * 32];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i)
    lu[i * 32 + t] = in[i * 32 + t];
  __syncwarp();
  for (int k = 0; k < 31; ++k) {
    if (t > k) {
      float factor = lu[t * 32 + k] / lu[k * 32 + k];
      lu[t * 32 + k] = factor;
      for (int j = k + 1; j < 32; ++j)
        lu[t * 32 + j] -= factor * lu[k * 32 + j];
    }
    __syncwarp();
  }
  out[t] = lu[t * 32 + 31];
}

// CHECK: remark: shared array 'half' keeps its layout: the product '{{.*}}' is stored to it
// APART: remark: shared array 'half' is stored as
__global__ void quotient_by_number(float *out, const float *in) {
  __shared__ float half[32 * 32];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    float two = 2.f;
    half[t * 32 + i] = in[t + i] / two;
    half[t * 32 + (i ^ 1)] = in[t];
    out[t + i] = half[t * 32 + i] + in[t + 7];
  }
}

// CHECK: remark: shared array 'stored' keeps its layout: the product '{{.*}}' is stored to it
// APART: remark: shared array 'stored' is stored as
__global__ void quotient_by_stored_number(float *out, const float *in) {
  __shared__ float stored[32 * 32];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    stored[t * 32 + (i ^ 1)] = 2.f;
    stored[t * 32 + i] = in[t + i] / stored[t * 32 + (i ^ 1)];
    out[t + i] = stored[t * 32 + i] + in[t + 7];
  }
}

// An attribute of the kernel could say that blockDim.x is 32.
// CHECK: remark: shared array 'sized' keeps its layout: the product '{{.*}}' is stored to it
// APART: remark: shared array 'sized' is stored as
__global__ void quotient_by_size(float *out, const float *in) {
  __shared__ float sized[32 * 32];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) {
    sized[t * 32 + (i ^ 1)] = in[t];
    sized[t * 32 + i] = in[t + i] / blockDim.x;
    out[t + i] = sized[t * 32 + i] + in[t + 7];
  }
}

void launch(float *f) {
  number_between<<<1, 32>>>(f, f, 0.5f);
  part<<<1, 32, 32 * 33 * 4>>>(f, f, 0.5f);
  stored_by_callee<<<1, 32>>>(f, f, 0.5f);
  barrier_between<<<1, 32>>>(f, f, 0.5f);
  quotient<<<1, 32>>>(f, f);
  quotient_by_number<<<1, 32>>>(f, f);
  quotient_by_size<<<1, 32>>>(f, f);
  quotient_by_stored_number<<<1, 32>>>(f, f);
}
