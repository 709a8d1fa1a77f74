// RUN: %cuda-opt --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --verify=machine %s -- %cuda-flags 2>&1 | grep -v '^ *//' | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=off %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s --check-prefix=OFF
//
// An array of which each thread has one element becomes a variable of the thread.
#include "cuda.h"
#define SIZE 16

// Diffusion as in image processing: one tile is shared, the others are not.
// PLAN-LABEL: plan diffuse
// PLAN: keep north: each thread has one element of it, which becomes a variable of the thread
// PLAN: private north, south, west, east, result
// PLAN-NEXT: storage: bytes 6144 -> 1024, bound 1024; blocks 8 -> 8; barriers added 0
// CHECK-LABEL: void diffuse(
// CHECK:      __shared__ float tile[SIZE][SIZE];
// CHECK-NEXT: float north;
// CHECK-NEXT: float south;
// CHECK-NEXT: float west, east;
// CHECK-NEXT: float result;
// CHECK:      north = ty == 0 ? 0 : tile[ty - 1][tx];
// CHECK:      result = north * south + west
// CHECK-NEXT: * east;
// CHECK:      out[i] = result;
// OFF-LABEL: void diffuse(
// OFF:       __shared__ float north[SIZE][SIZE];
__global__ void diffuse(float *out, const float *in) {
  int tx = threadIdx.x, ty = threadIdx.y;
  int i = (blockIdx.y * SIZE + ty) * 32 + blockIdx.x * SIZE + tx;
  __shared__ float tile[SIZE][SIZE];
  __shared__ float north[SIZE][SIZE];
  __shared__ float south[SIZE][SIZE];
  __shared__ float west[SIZE][SIZE], east[SIZE][SIZE];
  __shared__ float result[SIZE][SIZE];
  tile[ty][tx] = in[i];
  __syncthreads();
  north[ty][tx] = ty == 0 ? 0 : tile[ty - 1][tx];
  south[ty][tx] = ty == SIZE - 1 ? 0 : tile[ty + 1][tx];
  west[ty][tx] = tx == 0 ? 0 : tile[ty][tx - 1];
  east[ty][tx] = tx == SIZE - 1 ? 0 : tile[ty][tx + 1];
  __syncthreads();
  result[ty][tx] = north[ty][tx] * south[ty][tx] + west[ty][tx]
      * east[ty][tx];
  __syncthreads();
  out[i] = result[ty][tx];
}

// Elements of structs, several arrays in a statement, subscripts that are spelled
// differently, a permutation of the threads, a macro's argument.
// CHECK-LABEL: void spelled(
// CHECK:      __shared__ float shared[64];
// CHECK-SAME: Pair pair; int number;
// CHECK:      pair.x = in[t];
// CHECK-NEXT: pair.y = in[t] + 1;
// CHECK-NEXT: number = MAX(t, 7);
// CHECK-NEXT: number += MAX(number, 32);
// CHECK:      shared[t] = pair.x;
// CHECK:      out[t] = shared[63 - t] + pair.y + number;
struct Pair {
  float x, y;
};
#define MAX(a, b) ((a) > (b) ? (a) : (b))
__global__ void spelled(float *out, const float *in) {
  __shared__ float shared[64]; __shared__ Pair pair[64]; __shared__ int number[64];
  int t = threadIdx.x;
  pair[t].x = in[t];
  pair[threadIdx.x].y = in[t] + 1;
  number[t ^ 5] = MAX(t, 7);
  number[t ^ 5] += MAX(number[t ^ 5], 32);
  __syncthreads();
  shared[t] = pair[t].x;
  __syncthreads();
  out[t] = shared[63 - t] + pair[t].y + number[t ^ 5];
}

// A guard says which threads have an element; a loop accesses it often.
// CHECK-LABEL: void guarded(
// CHECK:      float sum;
// CHECK-NEXT: if (t < 32)
// CHECK-NEXT: sum = 0;
// CHECK-NEXT: for (int k = 0; k < n; ++k)
// CHECK-NEXT: if (t < 32)
// CHECK-NEXT: sum += out[k * 32 + t];
__global__ void guarded(float *out, int n) {
  int t = threadIdx.x;
  __shared__ float sum[32];
  if (t < 32)
    sum[t] = 0;
  for (int k = 0; k < n; ++k)
    if (t < 32)
      sum[t] += out[k * 32 + t];
  if (t < 32)
    out[t] = sum[t];
}

// What is left shares bytes, in the same statement.
// CHECK-LABEL: void both(
// CHECK:      __shared__ union {
// CHECK-NEXT:   float a[4096];
// CHECK-NEXT:   float b[4096];
// CHECK-NEXT: } reused;
// CHECK-NEXT: float own;
// CHECK-NEXT: auto &a = reused.a;
// CHECK-NEXT: auto &b = reused.b;
__global__ void both(float *out) {
  __shared__ float a[4096], own[64], b[4096];
  int t = threadIdx.x;
  for (int i = t; i < 4096; i += 64)
    a[i] = out[i];
  own[t] = out[t];
  __syncthreads();
  float x = a[63 - t];
  __syncthreads();
  for (int i = t; i < 4096; i += 64)
    b[i] = x;
  __syncthreads();
  out[t] = b[63 - t] + own[t];
}

// PLAN-LABEL: plan instances
// CHECK-LABEL: void instances(
// CHECK: T own;
// CHECK-NEXT: own = out[threadIdx.x];
template <typename T, int N> __global__ void instances(T *out) {
  __shared__ T own[N];
  own[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x] + own[threadIdx.x];
}

void launch(float *out, const float *in, int *ints, int n) {
  diffuse<<<dim3(2, 2), dim3(SIZE, SIZE)>>>(out, in);
  spelled<<<1, 64>>>(out, in);
  guarded<<<1, 64>>>(out, n);
  both<<<1, 64>>>(out);
  instances<float, 64><<<1, 64>>>(out);
  instances<int, 32><<<1, 32>>>(ints);
}
