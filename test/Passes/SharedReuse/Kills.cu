// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
//
// What kills the values of an array: only writes of the whole of it, by all threads
// that were there when it was filled. All kernels fill `left` before a loop that
// writes it anew, and uses `right` while it is dead.
#include "cuda.h"

#define LOOP(WRITE)                                                            \
  for (int i = 0; i < 3; i++) {                                                \
    WRITE;                                                                     \
    __syncthreads();                                                           \
    float x = left[63 - t];                                                    \
    __syncthreads();                                                           \
    right[t] = x;                                                              \
    __syncthreads();                                                           \
    out[t] += right[t];                                                        \
    __syncthreads();                                                           \
  }
#define FILL                                                                   \
  int t = threadIdx.x;                                                         \
  left[t] = in[t] + 1;                                                         \
  __syncthreads();
#define ARRAYS                                                                 \
  __shared__ float left[64];                                                   \
  __shared__ float right[64];

__device__ bool is_positive(const float *p, int i) { return p[i] > 0; }
__device__ void put(float *p, int t, float v, int end) {
  if (t < end)
    p[t] = v;
}
__device__ void put_if(float *p, int t, const float *in) {
  if (in[t] > 0)
    return;
  p[t] = in[t];
}

// CHECK-LABEL: plan uniform_return
// CHECK-NOT: no two of
__global__ void uniform_return(float *out, const float *in, int n) {
  ARRAYS FILL if (n > 5) return;
  LOOP(left[t] = i)
}

// CHECK-LABEL: plan return_by_data
// CHECK: keep storage: no two of
__global__ void return_by_data(float *out, const float *in, int n) {
  ARRAYS FILL if (in[t] > 0) return;
  LOOP(left[t] = i)
}

// CHECK-LABEL: plan return_by_call
// CHECK: keep storage: no two of
__global__ void return_by_call(float *out, const float *in, int n) {
  ARRAYS FILL if (is_positive(in, t)) return;
  LOOP(left[t] = i)
}

// CHECK-LABEL: plan return_by_lane
// CHECK: keep storage: no two of
__global__ void return_by_lane(float *out, const float *in, int n) {
  ARRAYS FILL unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (lane & 1)
    return;
  LOOP(left[t] = i)
}

// CHECK-LABEL: plan return_by_count
// CHECK: keep storage: no two of
__global__ void return_by_count(float *out, const float *in, int n) {
  ARRAYS FILL int c = 0;
  for (int j = 0; j < t; j++)
    c ^= 1;
  if (c)
    return;
  LOOP(left[t] = i)
}

// CHECK-LABEL: plan write_by_data
// CHECK: keep storage: no two of
__global__ void write_by_data(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(in[t] > 0 && (left[t] = i))
}

// CHECK-LABEL: plan write_or_break
// CHECK: keep storage: no two of
__global__ void write_or_break(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(do {
    if (in[t] > 0)
      break;
    left[t] = i;
  } while (0))
}

// CHECK-LABEL: plan write_in_lambda
// CHECK: keep storage: no two of
__global__ void write_in_lambda(float *out, const float *in, int n) {
  ARRAYS FILL LOOP([&] {
    if (in[t] > 0)
      return;
    left[t] = i;
  }())
}

// What each round writes may share bytes, what it does not write may not.
// CHECK-LABEL: plan write_part
// CHECK: keep storage: its text cannot be edited
__global__ void write_part(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(put(left, t, i, 50))
}

// CHECK-LABEL: plan write_behind_return
// CHECK: keep storage: no two of
__global__ void write_behind_return(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(put_if(left, t, in))
}

// CHECK-LABEL: plan write_sometimes
// CHECK: keep storage: no two of
__global__ void write_sometimes(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(if (i != 1) left[t] = i)
}

// CHECK-LABEL: plan write_bytes
// CHECK: keep storage: no two of
__global__ void write_bytes(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(((char *)left)[t] = i)
}

// CHECK-LABEL: plan write_somewhere
// CHECK: keep storage: no two of
__global__ void write_somewhere(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(left[int(in[t]) & 63] = i)
}

// Each iteration writes one half.
// CHECK-LABEL: plan write_by_turns
// CHECK: keep storage: no two of
__global__ void write_by_turns(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(if (t / 32 == i % 2) left[t] = i)
}

// The loop may not run at all.
// CHECK-LABEL: plan write_in_loop
// CHECK: keep storage: no two of
__global__ void write_in_loop(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(for (int j = 0; j < n; j++) left[t] = j)
}

// The condition of the first thread has no value.
// CHECK-LABEL: plan write_by_quotient
// CHECK: keep storage: no two of
__global__ void write_by_quotient(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(if (64 / t > 0) left[t] = i)
}

// How many threads there are, nobody says.
// CHECK-LABEL: plan write_without_launch
// CHECK: keep storage: no two of
__global__ void write_without_launch(float *out, const float *in, int n) {
  ARRAYS FILL LOOP(left[t] = i)
}

// What is written was read behind a barrier of the same statement.
__device__ float behind_barrier(const float *p, int t) {
  __syncthreads();
  return p[t];
}
// CHECK-LABEL: plan write_around_barrier
// CHECK: keep storage: no two of
__global__ void write_around_barrier(float *out, const float *in) {
  __shared__ float left[64];
  __shared__ float right[64];
  int t = threadIdx.x;
  left[t] = in[t];
  __syncthreads();
  right[t] = in[t] + 1;
  __syncthreads();
  out[t] = right[63 - t];
  __syncthreads();
  left[t] = behind_barrier(left, t) + 1;
  __syncthreads();
  out[t] += left[63 - t];
}

// One field of each element is written anew, the other one is still needed.
struct Two {
  float x, y;
};
// CHECK-LABEL: plan write_field
// CHECK: keep storage: no two of
__global__ void write_field(float *out, const float *in, int n) {
  __shared__ Two left[64];
  __shared__ Two right[64];
  int t = threadIdx.x;
  left[t].x = in[t];
  left[t].y = in[t] + 1;
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    left[t].x = i;
    __syncthreads();
    float x = left[63 - t].x + left[63 - t].y;
    __syncthreads();
    right[t].x = x;
    right[t].y = x + 1;
    __syncthreads();
    out[t] += right[63 - t].x + right[63 - t].y;
    __syncthreads();
  }
}

void launch(float *out, const float *in, int n) {
  uniform_return<<<1, 64>>>(out, in, n);
  return_by_data<<<1, 64>>>(out, in, n);
  return_by_call<<<1, 64>>>(out, in, n);
  return_by_lane<<<1, 64>>>(out, in, n);
  return_by_count<<<1, 64>>>(out, in, n);
  write_by_data<<<1, 64>>>(out, in, n);
  write_or_break<<<1, 64>>>(out, in, n);
  write_in_lambda<<<1, 64>>>(out, in, n);
  write_part<<<1, 64>>>(out, in, n);
  write_behind_return<<<1, 64>>>(out, in, n);
  write_sometimes<<<1, 64>>>(out, in, n);
  write_bytes<<<1, 64>>>(out, in, n);
  write_somewhere<<<1, 64>>>(out, in, n);
  write_by_turns<<<1, 64>>>(out, in, n);
  write_in_loop<<<1, 64>>>(out, in, n);
  write_by_quotient<<<1, 64>>>(out, in, n);
  write_around_barrier<<<1, 64>>>(out, in);
  write_field<<<1, 64>>>(out, in, n);
}
