// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes -Rpass-missed=.* %s -- %cuda-flags 2>%t.err | diff %s -
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
//
// Arrays that are not proved to be overwritten in place stay apart, and the plan
// says why.
#include "cuda.h"

// REMARK: remark: shared array 'first' is not overwritten in place by 'second': 'first' is read by one thread
// A neighbour still reads what a thread overwrites, within a warp, too.
// PLAN-LABEL: plan neighbour
// PLAN-NEXT: apart first second: 'first' is read by one thread and overwritten by another, with no barrier between
// PLAN-NEXT: keep storage
__global__ void neighbour(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  second[t] = first[t ^ 1] + first[t];
  __syncthreads();
  out[t] = second[63 - t];
}

// Threads of a warp may run the branches one after the other, and the one that
// reads comes second.
// PLAN-LABEL: plan divergent
// PLAN-NEXT: apart first second: 'first' is read by one thread
__global__ void divergent(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  float x = 0;
  if (t < 32)
    second[t] = first[t + 32];
  else
    second[t] = first[t - 32];
  __syncthreads();
  out[t] = second[63 - t] + x;
}

// The same thread, but it writes first.
// PLAN-LABEL: plan too_late
// PLAN-NEXT: apart first second: a thread may overwrite what 'first' has still to read
__global__ void too_late(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  second[t] = in[t];
  float x = first[t];
  __syncthreads();
  out[t] = second[63 - t] + x;
}

// The next iteration reads what this one has overwritten.
// PLAN-LABEL: plan next_iteration
// PLAN-NEXT: apart first second: a thread may overwrite what 'first' has still to read
__global__ void next_iteration(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  float x = 0;
  for (int k = 0; k < 4; k++) {
    x += first[t];
    second[t] = x;
  }
  __syncthreads();
  out[t] = second[63 - t];
}

// Half the width: the bytes of another thread.
// PLAN-LABEL: plan narrower
// PLAN-NEXT: apart first second: 'first' is read by one thread
struct Pair {
  unsigned x, y;
};
__global__ void narrower(unsigned *out, const unsigned *in) {
  __shared__ Pair first[64];
  __shared__ unsigned second[64];
  int t = threadIdx.x;
  first[63 - t].x = in[t];
  first[63 - t].y = in[t];
  __syncthreads();
  unsigned x = first[t].x;
  second[t] = x + first[t].y;
  __syncthreads();
  out[t] = second[63 - t];
}

// A compiler may take an int for no float, and read it later.
// PLAN-LABEL: plan other_type
// PLAN-NEXT: apart first second: their elements are of different types
__global__ void other_type(float *out, const float *in) {
  __shared__ int first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  int x = first[t];
  second[t] = in[t];
  __syncthreads();
  out[t] = second[63 - t] + x;
}

// Data decide on the element.
// PLAN-LABEL: plan scattered
// PLAN-NEXT: apart first second: subscript 'where[t]' depends on data
__global__ void scattered(float *out, const float *in, const int *where) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  second[t] = first[where[t]];
  __syncthreads();
  out[t] = second[63 - t];
}

// Something else still needs the array that would be overwritten.
// PLAN-LABEL: plan still_needed
// PLAN-NEXT: keep storage: no two of its shared variables
__global__ void still_needed(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  second[t] = first[t];
  __syncthreads();
  out[t] = second[63 - t] + first[t ^ 1];
}

// The other way round, what a thread writes and reads at once would lie in what is
// read behind the barrier.
// PLAN-LABEL: plan needed_before
// PLAN-NEXT: keep storage: no two of its shared variables
__global__ void needed_before(float *out, const float *in) {
  __shared__ float first[128];
  __shared__ float second[128];
  int t = threadIdx.x;
  first[127 - t] = in[t];
  first[63 - t] = in[t + 64];
  __syncthreads();
  second[t] = in[t] + 1;
  second[t + 64] = in[t] + 2;
  float x = second[t] * second[t + 64];
  __syncthreads();
  out[t] = x * first[t] - first[t + 64];
}

void launch(float *out, const float *in, const int *where) {
  neighbour<<<1, 64>>>(out, in);
  divergent<<<1, 64>>>(out, in);
  too_late<<<1, 64>>>(out, in);
  next_iteration<<<1, 64>>>(out, in);
  narrower<<<1, 64>>>((unsigned *)out, (const unsigned *)in);
  other_type<<<1, 64>>>(out, in);
  scattered<<<1, 64>>>(out, in, where);
  still_needed<<<1, 64>>>(out, in);
  needed_before<<<1, 64>>>(out, in);
}
