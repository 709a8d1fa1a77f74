// RUN: %cuda-opt -q --layout=auto,ns::second=xor,third.b=keep,fourth=keep %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt -q --config='{Layout: [auto, "ns::second=xor", third.b=keep, fourth=keep]}' %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt -q --layout=keep,first=pad --reuse=off --diff %s -- %cuda-flags | FileCheck --check-prefix=ONE %s
//
// RUN: %exits 2 %cuda-opt --layout=auto,first=diagonal %s 2>&1 | FileCheck --check-prefix=KIND %s
// RUN: %exits 2 %cuda-opt --layout=auto,pad %s 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: %exits 2 %cuda-opt --reuse=auto,first.a=off %s 2>&1 | FileCheck --check-prefix=ARRAY %s
//
// KIND: error: unknown kind in --layout=auto,first=diagonal (known: auto, pad
// TWO: error: malformed --layout=auto,pad: 'auto' and 'pad' exclude each other
// ARRAY: error: malformed --reuse=auto,first.a=off: 'first.a' names an array
#include "cuda.h"

// Kernels, and single arrays, may get another layout than the rest of the file.

// CHECK-LABEL: first(
// CHECK: {{^}}  __shared__ float a[32][32 + 1];
// ONE: {{^}}+  __shared__ float a[32][32 + 1];
// ONE-NOT: {{^[+]}}
static __global__ void first(float *out) {
  __shared__ float a[32][32];
  a[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x][threadIdx.y];
}

namespace ns {
namespace {
// CHECK-LABEL: second(
// CHECK: {{^}}  __shared__ float a[32][32];
// CHECK: {{^}}  a[threadIdx.y][threadIdx.x ^ threadIdx.y]
__global__ void second(float *out) {
  __shared__ float a[32][32];
  a[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x][threadIdx.y];
}
} // namespace
void launch(float *p) { second<<<1, dim3(32, 32)>>>(p); }
} // namespace ns

// CHECK-LABEL: third(
// CHECK: {{^}}  __shared__ float a[32][32 + 1];
// CHECK: {{^}}  __shared__ float b[32][32];
static __global__ void third(float *out) {
  __shared__ float a[32][32];
  __shared__ float b[32][32];
  a[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  b[threadIdx.y][threadIdx.x] = out[threadIdx.x + 1];
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x][threadIdx.y] + b[threadIdx.x][threadIdx.y];
}

// CHECK-LABEL: fourth(
// CHECK: {{^}}  __shared__ float a[32][32];
static __global__ void fourth(float *out) {
  __shared__ float a[32][32];
  a[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x][threadIdx.y];
}

void launch(float *p) {
  first<<<1, dim3(32, 32)>>>(p);
  third<<<1, dim3(32, 32)>>>(p);
  fourth<<<1, dim3(32, 32)>>>(p);
}
