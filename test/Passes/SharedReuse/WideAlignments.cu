// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes -Rpass-missed %s -o %t.cu -- %cuda-flags 2>%t.err
// RUN: grep -v '^//' %t.cu | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.err
//
// An array that wide accesses find aligned, although no declaration says so, stays
// aligned: nvcc takes casts at their word, and the hardware traps.
#include "cuda.h"

// Of two arrays of 520 bytes only one would lie in front of it.
// KEPT-DAG: kernel 'behindUnion' is not reused: 'wide', which may be accessed several elements at a time, would lose its alignment
// CHECK-LABEL: void behindUnion(
// CHECK: __shared__ float first[130];
// CHECK-NEXT: __shared__ float second[130];
__global__ void behindUnion(float *out, const float *in) {
  __shared__ float first[130];
  __shared__ float second[130];
  __shared__ float wide[512];
  int x = threadIdx.x;
  if (x < 128)
    *(float4 *)&wide[4 * x] = *(const float4 *)&in[4 * x];
  first[x] = in[x];
  __syncthreads();
  float v = first[129 - x];
  __syncthreads();
  second[x] = v;
  __syncthreads();
  out[x] = second[129 - x] + wide[511 - x];
}

// 101 rows are accessed.
// CHECK-LABEL: void behindCut(
// CHECK: __shared__ float cut[104];
__global__ void behindCut(float *out, const float *in) {
  __shared__ float cut[1024];
  __shared__ float wide[512];
  int x = threadIdx.x;
  if (x < 101)
    cut[x] = in[x];
  *(float4 *)&wide[4 * x] = *(const float4 *)&in[4 * x];
  __syncthreads();
  out[x] = wide[511 - x] + cut[100 - x % 100];
}

// KEPT-DAG: 'own' stays in shared memory, although each thread has one element of it: 'wide', which
// CHECK-LABEL: void behindPrivate(
// CHECK: __shared__ float own[101];
__global__ void behindPrivate(float *out, const float *in) {
  __shared__ float own[101];
  __shared__ float next[103];
  __shared__ float wide[512];
  int x = threadIdx.x;
  if (x < 101) {
    own[x] = in[x];
    out[x] = own[x];
  }
  if (x < 103)
    next[x] = in[x];
  *(float4 *)&wide[4 * x] = *(const float4 *)&in[4 * x];
  __syncthreads();
  out[x] += wide[511 - x] + next[102 - x % 103];
}

// 404 bytes of `part` are live, and all of it is kept: the copy of a vector counts as
// a read of what it writes.
// CHECK-LABEL: void behindPart(
// CHECK: unsigned char gap[512];
// CHECK-NEXT: float wide[512];
__global__ void behindPart(float *out, const float *in) {
  __shared__ float part[512];
  __shared__ float wide[512];
  int x = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    part[x] = in[x + i];
    __syncthreads();
    out[x] += part[127 - x];
    __syncthreads();
    if (x < 101)
      part[x] = 1;
    *(float4 *)&wide[4 * x] = *(const float4 *)&in[4 * x];
    __syncthreads();
    out[x] += wide[511 - x] + part[100 - x % 100];
    __syncthreads();
  }
}

void launch(float *out, const float *in) {
  behindUnion<<<1, 130>>>(out, in);
  behindCut<<<1, 128>>>(out, in);
  behindPrivate<<<1, 128>>>(out, in);
  behindPart<<<1, 128>>>(out, in);
}
