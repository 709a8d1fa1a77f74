// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes %s -- %cuda-flags | grep -v '// [A-Z]*[:-]' | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes --verify=machine --report=json:%t %s -- %cuda-flags | grep -v '// [A-Z]*[:-]' | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t
//
// A loop whose two halves have nothing to do with each other becomes two loops, and
// what belongs to the first one stands in front of all that belongs to the second:
// then their arrays share bytes. Comments and pragmas move with their statements.
#include "cuda.h"

// PLAN-LABEL: plan halves
// PLAN: another order of statements
// PLAN: storage ({{u [|] v|v [|] u}}): bytes 512 -> 256
// REPORT: "order": {
// REPORT-NEXT: "decision": "rewritten"
// REPORT: "verify": "machine: {{ProvedEqual|EqualOn}}"
// CHECK-LABEL: void halves(
__global__ void halves(float *__restrict__ out, float *__restrict__ out2,
                       const float *__restrict__ in, int n) {
  // CHECK: __shared__ union {
  // CHECK: auto &v = reused.v;
  // CHECK-NEXT: int t = threadIdx.x;
  // CHECK-NEXT: // The first half.
  // CHECK-NEXT: u[t] = in[t];
  // CHECK-NEXT: __syncthreads(); // All are there.
  // CHECK-NEXT: float a, b;
  // CHECK-NEXT: // Some rounds.
  // CHECK-NEXT: for (int i = 0; i < n; ++i) {
  // CHECK-NEXT:   a = u[63 - t];
  // CHECK-NEXT:   __syncthreads();
  // CHECK-NEXT:   u[t] = a;
  // CHECK-NEXT:   __syncthreads();
  // CHECK-NEXT: }
  // CHECK-NEXT: out[t] = u[t];
  // CHECK-NEXT: __syncthreads();
  // CHECK-NEXT: v[t] = in[64 + t]; // The second one.
  // CHECK-NEXT: __syncthreads();
  // CHECK-NEXT: for (int i = 0; i < n; ++i) {
  // CHECK-NEXT:   // Turned round.
  // CHECK-NEXT:   b = v[t ^ 1];
  // CHECK-NEXT:   __syncthreads();
  // CHECK-NEXT:   v[t] = b;
  // CHECK-NEXT:   __syncthreads();
  // CHECK-NEXT: }
  // CHECK-NEXT: out2[t] = v[t];
  // CHECK-NEXT: {{^}}}
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  // The first half.
  u[t] = in[t];
  v[t] = in[64 + t]; // The second one.
  __syncthreads(); // All are there.
  float a, b;
  // Some rounds.
  for (int i = 0; i < n; ++i) {
    a = u[63 - t];
    __syncthreads();
    u[t] = a;
    __syncthreads();

    // Turned round.
    b = v[t ^ 1];
    __syncthreads();
    v[t] = b;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

// Without a loop, the order alone.
// PLAN-LABEL: plan straight
// PLAN: another order of statements
// PLAN: bytes 512 -> 256
// CHECK-LABEL: void straight(
__global__ void straight(float *__restrict__ out, float *__restrict__ out2,
                         const float *__restrict__ in) {
  // CHECK: a[t] = in[t];
  // CHECK-NEXT: __syncthreads();
  // CHECK-NEXT: out[t] = a[63 - t];
  // CHECK-NEXT: __syncthreads();
  // CHECK-NEXT: b[t] = in[64 + t];
  // CHECK-NEXT: __syncthreads();
  // CHECK-NEXT: out2[t] = b[63 - t];
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// A pointer leads to what it was computed from; what a lambda does, it does where it
// is called; structured bindings belong to what they are bound to.
// PLAN-LABEL: plan newer
// PLAN: another order of statements
// PLAN: bytes 512 -> 256
// CHECK-LABEL: void newer(
struct Pair {
  float x, y;
};
__global__ void newer(float *__restrict__ out, float *__restrict__ out2,
                      const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  const float *second = in + 64;
  // CHECK: u[t] = in[t];
  // CHECK-NOT: v[t] =
  // CHECK: u[t] = scale(2);
  // CHECK: out[t] = u[t];
  // CHECK: v[t] = second[t];
  // CHECK: auto [x, y] = pair;
  // CHECK: v[t] = x + y;
  u[t] = in[t];
  v[t] = second[t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    float a = u[63 - t];
    auto scale = [&](float by) { return by * a + i; };
    __syncthreads();
    u[t] = scale(2);
    __syncthreads();
    Pair pair{v[t ^ 1], 1};
    auto [x, y] = pair;
    __syncthreads();
    v[t] = x + y;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

void launch(float *out, float *out2, const float *in, int n) {
  newer<<<1, 64>>>(out, out2, in, n);
  halves<<<1, 64>>>(out, out2, in, n);
  straight<<<1, 64>>>(out, out2, in);
}
