// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --verify=machine %s -- %cuda-flags 2>&1 | grep -v '^ *//' | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --verify=machine %s -- %cuda-flags 2>&1 | grep -v '^ *//' | FileCheck %s --check-prefix=BYTES
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse -Rpass-missed=.* %s -- %cuda-flags 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY
//
// An array is cut to the rows that are accessed, if more blocks fit then.
#include "cuda.h"

// PLAN-LABEL: plan sums
// PLAN-NEXT: trim part to 64
// PLAN-NEXT: storage: bytes 32768 -> 256, bound 256; blocks 6 -> 32; barriers added 0
// CHECK-LABEL: void sums(
// CHECK-NEXT: __shared__ float part[64];
__global__ void sums(float *out) {
  __shared__ float part[8192];
  part[threadIdx.x] = out[threadIdx.x];
  for (int d = 32; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d)
      part[threadIdx.x] += part[threadIdx.x + d];
  }
  __syncthreads();
  out[threadIdx.x] = part[0];
}

// Rows count whole. What is cut shares bytes.
// CHECK-LABEL: void rows(
// CHECK-NEXT: __shared__ union {
// CHECK-NEXT:   float a[20][64];
// CHECK-NEXT:   float b[40][64];
// CHECK-NEXT: } reused;
__global__ void rows(float *out) {
  __shared__ float a[100][64];
  __shared__ float b[100][64];
  int t = threadIdx.x;
  for (int r = 0; r < 20; ++r)
    a[r][t] = out[t];
  __syncthreads();
  float x = a[19][63 - t];
  __syncthreads();
  for (int r = 0; r < 40; ++r)
    b[r][t] = x;
  __syncthreads();
  out[t] = b[39][63 - t];
}

// No more blocks would fit.
// WHY-DAG: [[#@LINE + 6]]:{{.*}} shared array 'part' keeps its last rows, although no thread accesses them: it would take 256 bytes instead of 400, but no more blocks of 64 threads would fit on a multiprocessor (32)
// CHECK-LABEL: void small(
// CHECK-NEXT: __shared__ float part[100];
// BYTES-LABEL: void small(
// BYTES-NEXT: __shared__ float part[64];
__global__ void small(float *out) {
  __shared__ float part[100];
  part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[63 - threadIdx.x];
}

// The launches decide: the largest block counts, whichever it is.
// BYTES-LABEL: void twoShapes(
// BYTES-NEXT: __shared__ float part[96];
__global__ void twoShapes(float *out) {
  __shared__ float part[1024];
  part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[threadIdx.x ^ 1];
}

// What is not cut, one condition each.

// BYTES-LABEL: void unknownShape(
// BYTES-NEXT: __shared__ float part[1024];
__global__ void unknownShape(float *out) {
  __shared__ float part[1024];
  part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[threadIdx.x ^ 1];
}

// WHY-DAG: shared array 'part' keeps its last rows, although no thread accesses them: its size is used here
// BYTES-LABEL: void sizeTaken(
// BYTES-NEXT: __shared__ float part[1024];
__global__ void sizeTaken(float *out) {
  __shared__ float part[1024];
  part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[63 - threadIdx.x] + sizeof(part);
}

__device__ float last(const float *p) { return p[63]; }
// BYTES-LABEL: void passed(
// BYTES-NEXT: __shared__ float part[1024];
__global__ void passed(float *out) {
  __shared__ float part[1024];
  part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = last(part);
}

// WHY-DAG: [[#@LINE + 4]]:{{.*}} shared array 'part' keeps its last rows, although no thread accesses them: each instance of the template has extents of its own
// BYTES-LABEL: void ofTemplate(
// BYTES-NEXT: __shared__ float part[N];
template <int N> __global__ void ofTemplate(float *out) {
  __shared__ float part[N];
  part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[63 - threadIdx.x];
}

// BYTES-LABEL: void dataDependent(
// BYTES-NEXT: __shared__ float part[1024];
__global__ void dataDependent(float *out, const int *where) {
  __shared__ float part[1024];
  part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[where[threadIdx.x]];
}

// BYTES-LABEL: void byArgument(
// BYTES-NEXT: __shared__ float part[1024];
__global__ void byArgument(float *out, int n) {
  __shared__ float part[1024];
  for (int i = threadIdx.x; i < n; i += 64)
    part[i] = out[i];
  __syncthreads();
  out[threadIdx.x] = part[63 - threadIdx.x];
}

void launch(float *out, const int *where, int n) {
  sums<<<1, 64>>>(out);
  rows<<<1, 64>>>(out);
  small<<<1, 64>>>(out);
  twoShapes<<<1, 64>>>(out);
  twoShapes<<<1, 96>>>(out);
  twoShapes<<<1, 32>>>(out);
  unknownShape<<<1, n>>>(out);
  sizeTaken<<<1, 64>>>(out);
  passed<<<1, 64>>>(out);
  ofTemplate<256><<<1, 64>>>(out);
  dataDependent<<<1, 64>>>(out, where);
  byArgument<<<1, 64>>>(out, n);
}
