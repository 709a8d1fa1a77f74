// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --verify=machine -Rpass=.* %s -- %cuda-flags 2>%t.err | grep -v '^ *//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROVED --input-file=%t.err
//
// A part of an array that is dead holds another array. Gaps tell where; where whole
// arrays serve as well, there are none.
#include "cuda.h"

// The upper half of `wide` is dead when `late` comes, the lower is not.
// PROVED-DAG: rewrite of kernel 'upper_half' verified: proved equal for all data
// PLAN-LABEL: plan upper_half
// PLAN: storage (wide | 256 + late): bytes 768 -> 512, bound 512
// CHECK-LABEL: void upper_half(
// CHECK-NEXT: __shared__ union {
// CHECK-NEXT:   float wide[128];
// CHECK-NEXT:   struct {
// CHECK-NEXT:     unsigned char gap[256];
// CHECK-NEXT:     float late[64];
// CHECK-NEXT:   };
// CHECK-NEXT: } reused;
// CHECK-NEXT: auto &wide = reused.wide;
// CHECK-NEXT: auto &late = reused.late;
__global__ void upper_half(float *out) {
  __shared__ float wide[128];
  __shared__ float late[64];
  int t = threadIdx.x;
  wide[t] = out[t];
  wide[t + 64] = out[t + 64];
  __syncthreads();
  float x = wide[127 - t];
  __syncthreads();
  late[t] = x;
  __syncthreads();
  out[t] = late[63 - t] + wide[63 - t];
}

// Both parts are dead in turn, and hold an array each: their distances are those
// of the parts, so that no gap is needed.
// PROVED-DAG: rewrite of kernel 'both_halves' verified: proved equal for all data
// PLAN-LABEL: plan both_halves
// PLAN: storage (wide | low + high): bytes 1024 -> 512, bound 512
// CHECK-LABEL: void both_halves(
__global__ void both_halves(float *out) {
  __shared__ float wide[128];
  __shared__ float high[64];
  __shared__ float low[64];
  int t = threadIdx.x;
  wide[t] = out[t];
  wide[t + 64] = out[t + 64];
  __syncthreads();
  float x = wide[127 - t];
  __syncthreads();
  high[t] = x;
  __syncthreads();
  float y = wide[63 - t];
  __syncthreads();
  low[t] = y + high[t ^ 1];
  __syncthreads();
  out[t] = high[63 - t] + low[63 - t];
}

// The whole of `wide` is dead: no gap is needed.
// PLAN-LABEL: plan whole
// PLAN: storage ({{wide [|] late|late [|] wide}}): bytes 768 -> 512
__global__ void whole(float *out) {
  __shared__ float wide[128];
  __shared__ float late[64];
  int t = threadIdx.x;
  wide[t] = out[t];
  wide[t + 64] = out[t + 64];
  __syncthreads();
  float x = wide[127 - t] + wide[63 - t];
  __syncthreads();
  late[t] = x;
  __syncthreads();
  out[t] = late[63 - t];
}

// Without a barrier, a slow thread still reads the upper half.
// PLAN-LABEL: plan no_barrier
// PLAN: keep storage: no two of its shared variables
__global__ void no_barrier(float *out) {
  __shared__ float wide[128];
  __shared__ float late[64];
  int t = threadIdx.x;
  wide[t] = out[t];
  wide[t + 64] = out[t + 64];
  __syncthreads();
  late[t] = wide[127 - t];
  __syncthreads();
  out[t] = late[63 - t] + wide[63 - t];
}

// Which elements are still read is not known.
// PLAN-LABEL: plan unknown
// PLAN: keep storage: no two of its shared variables
__global__ void unknown(float *out, const int *where) {
  __shared__ float wide[128];
  __shared__ float late[64];
  int t = threadIdx.x;
  wide[t] = out[t];
  wide[t + 64] = out[t + 64];
  __syncthreads();
  float x = wide[127 - t];
  __syncthreads();
  late[t] = x;
  __syncthreads();
  out[t] = late[63 - t] + wide[where[t]];
}

// A gap has one size, another instance of a template may need another.
// PLAN-LABEL: plan of_template
// PLAN: keep storage: no two of its shared variables
template <int N> __global__ void of_template(float *out) {
  __shared__ float wide[2 * N];
  __shared__ float late[N];
  int t = threadIdx.x;
  wide[t] = out[t];
  wide[t + N] = out[t + N];
  __syncthreads();
  float x = wide[2 * N - 1 - t];
  __syncthreads();
  late[t] = x;
  __syncthreads();
  out[t] = late[N - 1 - t] + wide[N - 1 - t];
}

void launch(float *out, const int *where) {
  upper_half<<<1, 64>>>(out);
  both_halves<<<1, 64>>>(out);
  whole<<<1, 64>>>(out);
  no_barrier<<<1, 64>>>(out);
  unknown<<<1, 64>>>(out, where);
  of_template<64><<<1, 64>>>(out);
}
