// RUN: %cuda-opt --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt %s -- %cuda-flags 2>/dev/null | grep -v '^ *//' | FileCheck %s
//
// Another file may launch these kernels with blocks in which several threads have
// one element. They cannot tell these threads apart, which then do the same.
#include "cuda.h"
#include "cuda/groups.cuh"

// Conditions that are not the same at all accesses.
// PLAN-LABEL: plan guarded
// PLAN: private s
// PLAN: storage{{.*}}; closed-world
// CHECK-LABEL: void guarded(
// CHECK-NEXT: float s;
__global__ void guarded(float *out, const float *in, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0 && t < n)
    out[t] = s[t];
  __syncthreads();
  bool computed = false;
  for (int k = 0; k < n; ++k) {
    if (t > k && t < 63 - k) {
      computed = true;
      s[t] = in[k];
    }
    __syncthreads();
    if (k == n - 1)
      break;
    if (computed)
      out[t] = s[t];
    __syncthreads();
  }
  if (computed)
    out[t] = s[t];
}

// Both dimensions are subscripts, in any order.
// CHECK-LABEL: void rows(
// CHECK-NEXT: float s;
__global__ void rows(float *out, const float *in, int n) {
  __shared__ float s[8][8];
  unsigned x = threadIdx.x;
  const int y = threadIdx.y;
  if (x < n)
    s[x][y] = in[y * 8 + x];
  __syncthreads();
  if (x > 0)
    out[y * 8 + x] = s[x][threadIdx.y];
}

// The size of the block in a dimension that is a subscript tells nothing else.
// CHECK-LABEL: void sized(
// CHECK-NEXT: float s;
__global__ void sized(float *out, const float *in, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.y * gridDim.x * blockDim.x + t;
  if (i < n)
    s[t] = in[i];
  __syncthreads();
  if (i > 0)
    out[i] = s[t];
}

// Functions with bodies are looked into, and objects of blocks are known.
struct Pair {
  int a, b;
  __device__ int sum() const { return a + b; }
};
__device__ int weigh(const int *in, int t) {
  Pair p = {in[t], 2 * t};
  Pair q;
  q = p;
  switch (t) {
  case 0:
    return q.sum();
  default:
    return t % 2 ? q.a : -q.b;
  }
}
// CHECK-LABEL: void calls(
// CHECK: {{^ *}}int s;
__global__ void calls(int *out, const int *in, int n) {
  cooperative_groups::thread_block block =
      cooperative_groups::this_thread_block();
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n)
    s[t] = in[t];
  block.sync();
  if (t > 0)
    out[t] = s[t] + weigh(in, t);
}

// In the instance of a template.
// CHECK-LABEL: void instance(
// CHECK: {{^ *}}T s;
template <class T, int N> __global__ void instance(T *out, const T *in) {
  __shared__ T s[64];
  int t = threadIdx.x;
  if (t < N)
    s[t] = in[t];
  __syncthreads();
  if (t > N / 2)
    out[t] = s[t];
}

template __global__ void instance<float, 40>(float *, const float *);

void launch(float *out, const float *in, int *ints, int n) {
  guarded<<<1, 64>>>(out, in, n);
  rows<<<1, dim3(8, 8)>>>(out, in, n);
  sized<<<1, 64>>>(out, in, n);
  calls<<<1, 64>>>(ints, ints, n);
  instance<float, 40><<<1, 64>>>(out, in);
}
