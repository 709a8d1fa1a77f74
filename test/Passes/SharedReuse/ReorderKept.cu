// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes %s -o %t.cu -- %cuda-flags
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes %s -- %cuda-flags | diff %t.cu -
// RUN: not %cuda-opt --passes=shared-reuse --reorder --reuse=bytes --check %S/Reorder.cu -- %cuda-flags
// RUN: %cuda-opt --passes=shared-reuse --reorder --check %S/Reorder.cu -- %cuda-flags
// RUN: %cuda-opt --passes=shared-reuse --reorder --print=plan %S/Reorder.cu -- %cuda-flags | FileCheck %s --check-prefix=AUTO
//
// Statements keep their order, and the file the bytes that it has without the option, where the order has a
// meaning or where nothing is known of it, and where no more blocks would fit.
#include "cuda.h"

// AUTO: plan halves
// AUTO-NEXT: keep order: there is an order that needs fewer bytes at a time, but --reuse asks for more

// CHECK-LABEL: plan feeds
// CHECK-NEXT: keep order: the parts of a loop need what the others made
__global__ void feeds(float *__restrict__ out, float *__restrict__ out2,
                      const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    float a = u[63 - t] + v[t ^ 1];
    __syncthreads();
    u[t] = a;
    __syncthreads();
    float b = v[t ^ 2];
    __syncthreads();
    v[t] = b;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

// A local of the loop joins its halves, too.
// CHECK-LABEL: plan local_joins
// CHECK-NEXT: keep order: the parts of a loop need what the others made
__global__ void local_joins(float *__restrict__ out, float *__restrict__ out2,
                            const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  float a = 0;
  for (int i = 0; i < n; ++i) {
    a += u[63 - t];
    __syncthreads();
    u[t] = a;
    __syncthreads();
    v[t] += a;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

// CHECK-LABEL: plan may_alias
// CHECK-NEXT: keep order: 'in' and 'out' may point to the same memory
__global__ void may_alias(float *out, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out[64 + t] = b[63 - t];
}

// CHECK-LABEL: plan ordered
// CHECK-NEXT: keep order: a statement has effects
__global__ void ordered(float *__restrict__ out, float *__restrict__ out2,
                        const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[64 + t];
  asm volatile("");
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan volatile_read
// CHECK-NEXT: keep order: a statement has effects
__global__ void volatile_read(float *__restrict__ out, float *__restrict__ out2,
                              const volatile float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan leaves
// CHECK-NEXT: keep order: threads may leave it
__global__ void leaves(float *__restrict__ out, float *__restrict__ out2,
                       const float *__restrict__ in, int n) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  if (n == 0)
    return;
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// The loop may end before the second half has its turn.
// CHECK-LABEL: plan breaks
// CHECK-NEXT: keep order: the parts of a loop need
__global__ void breaks(float *__restrict__ out, float *__restrict__ out2,
                       const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    u[t] += 1;
    __syncthreads();
    if (i == 5)
      break;
    v[t] += 1;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

#define STORE(array) array[t] = in[t];
// CHECK-LABEL: plan in_macro
// CHECK-NEXT: keep order: its text cannot be edited: macro 'STORE' writes a whole statement
__global__ void in_macro(float *__restrict__ out, float *__restrict__ out2,
                         const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  STORE(a)
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan one_line
// CHECK-NEXT: keep order: its text cannot be edited: a line holds more than one statement
__global__ void one_line(float *__restrict__ out, float *__restrict__ out2,
                         const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t]; b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan directive
// CHECK-NEXT: keep order: its text cannot be edited: a directive
__global__ void directive(float *__restrict__ out, float *__restrict__ out2,
                          const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
#ifndef NOTHING
  b[t] = in[64 + t];
#endif
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

void launch(float *out, float *out2, const float *in, int n) {
  feeds<<<1, 64>>>(out, out2, in, n);
  local_joins<<<1, 64>>>(out, out2, in, n);
  may_alias<<<1, 64>>>(out, in);
  ordered<<<1, 64>>>(out, out2, in);
  volatile_read<<<1, 64>>>(out, out2, in);
  leaves<<<1, 64>>>(out, out2, in, n);
  breaks<<<1, 64>>>(out, out2, in, n);
  in_macro<<<1, 64>>>(out, out2, in);
  one_line<<<1, 64>>>(out, out2, in);
  directive<<<1, 64>>>(out, out2, in);
}
