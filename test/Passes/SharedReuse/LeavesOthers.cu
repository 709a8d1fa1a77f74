// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
//
// Threads that leave while others go on may be late: a barrier counts those of a warp
// that have not yet left as if they had come. On sm_90 the read of `first` in `late`
// is executed behind both barriers, when `second` has taken its bytes. What such
// threads use on their way out shares no bytes with what the others use afterwards.
#include "cuda.h"

#define FILL                                                                   \
  first[t] = in[t];                                                            \
  __syncthreads();                                                             \
  unsigned v = first[31 - t];                                                  \
  __syncthreads();
#define USE_SECOND                                                             \
  __syncthreads();                                                             \
  second[t] = v;                                                               \
  __syncthreads();                                                             \
  out[t] = second[t / 2];

// CHECK-LABEL: plan late
// CHECK-NOT: (first | second)
__global__ void late(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (t >= 25) {
    out[t] = v + first[t];
    return;
  }
  USE_SECOND
}

// A compiler may move what it does into the way out.
// CHECK-LABEL: plan in_front
// CHECK-NOT: (first | second)
__global__ void in_front(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (t >= 25)
    return;
  USE_SECOND
}

// CHECK-LABEL: plan by_assembly
// CHECK-NOT: (first | second)
__global__ void by_assembly(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (t >= 25)
    asm("exit;");
  USE_SECOND
}

// Two barriers later is no better.
// CHECK-LABEL: plan much_later
// CHECK-NOT: (first | second)
__global__ void much_later(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (t >= 25)
    return;
  __syncthreads();
  v += out[t];
  USE_SECOND
}

// The condition may differ between threads; the barrier is never executed.
// CHECK-LABEL: plan under_a_condition
// CHECK-NOT: (first | second)
__global__ void under_a_condition(unsigned *out, const unsigned *in, int n) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (in[t] & 1) {
    if (n < 0)
      __syncthreads();
    out[t] = v + first[t];
    return;
  }
  USE_SECOND
}

// The same without a return.
// CHECK-LABEL: plan past_a_branch
// CHECK-NOT: (first | second)
__global__ void past_a_branch(unsigned *out, const unsigned *in, int n) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (in[t] & 1) {
    USE_SECOND
  }
}

// Those who return from a function come to the end of the kernel before the others.
// CHECK-LABEL: plan from_a_function
// CHECK-NOT: (first | second)
__device__ void work(unsigned *first, unsigned *second, unsigned *out,
                     const unsigned *in) {
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (t >= 25) {
    out[t] = v + first[t];
    return;
  }
  USE_SECOND
}
__global__ void from_a_function(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  work(first, second, out, in);
}

// All threads return from the function together.
// CHECK-LABEL: plan from_a_function_together
// CHECK: (first | second)
__device__ void work_together(unsigned *first, unsigned *second, unsigned *out,
                              const unsigned *in) {
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (blockIdx.x > 3) {
    out[t] = v + first[t];
    return;
  }
  USE_SECOND
}
__global__ void from_a_function_together(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  work_together(first, second, out, in);
}

// They use nothing since the last barrier.
// CHECK-LABEL: plan nothing_used
// CHECK: (first | second)
__global__ void nothing_used(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  FILL
  if (t >= 25)
    return;
  USE_SECOND
}

// All threads of the block leave, or none.
// CHECK-LABEL: plan together
// CHECK: (first | second)
__global__ void together(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  unsigned v = first[31 - t];
  if (blockIdx.x > 3)
    return;
  USE_SECOND
}

// Of the loop, all threads leave together.
// CHECK-LABEL: plan end_of_loop
// CHECK: (first | second)
__global__ void end_of_loop(unsigned *out, const unsigned *in) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  unsigned v = 0;
  for (int i = 0; i < 3; ++i) {
    first[t] = in[t + i];
    __syncthreads();
    v += first[31 - t];
    __syncthreads();
    second[t] = v;
    __syncthreads();
    v += second[31 - t];
    __syncthreads();
  }
  out[t] = v;
}

void launch(unsigned *out, const unsigned *in) {
  late<<<1, 32>>>(out, in);
  in_front<<<1, 32>>>(out, in);
  by_assembly<<<1, 32>>>(out, in);
  much_later<<<1, 32>>>(out, in);
  under_a_condition<<<1, 32>>>(out, in, 1);
  past_a_branch<<<1, 32>>>(out, in, 1);
  from_a_function<<<1, 32>>>(out, in);
  from_a_function_together<<<1, 32>>>(out, in);
  nothing_used<<<1, 32>>>(out, in);
  together<<<1, 32>>>(out, in);
  end_of_loop<<<1, 32>>>(out, in);
}
