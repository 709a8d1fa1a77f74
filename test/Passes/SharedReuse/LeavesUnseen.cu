// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
//
// What may end a thread without a return, and what does not: `left` is written
// anew behind it, which kills its values only if the whole block is still there.
#include "cuda.h"

#define FILL                                                                   \
  left[t] = in[t];                                                             \
  __syncthreads();                                                             \
  out[t] = left[63 - t];                                                       \
  __syncthreads();                                                             \
  right[t] = n;                                                                \
  __syncthreads();                                                             \
  out[t] += right[63 - t];                                                     \
  __syncthreads();
#define READ                                                                   \
  left[t] = 5;                                                                 \
  __syncthreads();                                                             \
  out[t] += left[63 - t];

// CHECK-LABEL: plan nothing
// CHECK: storage (left | right): bytes 512 -> 256
__global__ void nothing(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL READ
}

// The model reads these branches; the check of the code does not, and refuses.
// CHECK-LABEL: plan waits
// CHECK: keep storage: the code that clang makes of its kernel does not agree
__global__ void waits(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL asm volatile("{\n\t"
                           ".reg .pred %%p; // exit;\n\t"
                           "AGAIN%=: setp.lt.s32 %%p, %0, 0; /* trap; */\n\t"
                           "@%%p bra.uni AGAIN%=;\n\t"
                           "@!%%p bra DONE%=;\n\t"
                           "DONE%=:\n\t}" ::"r"(n));
  READ
}

// CHECK-LABEL: plan unreachable
// CHECK: storage (left | right): bytes 512 -> 256
__global__ void unreachable(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL if (n < 0) __builtin_unreachable();
  READ
}

// CHECK-LABEL: plan under_a_predicate
// CHECK: keep storage: no two of
__global__ void under_a_predicate(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL asm volatile("{ .reg .pred p; setp.ge.s32 p, %0, 40;\n"
                           "@p exit; }" ::"r"(t));
  READ
}

// CHECK-LABEL: plan behind_a_label
// CHECK: keep storage: no two of
__global__ void behind_a_label(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL if (t > n) asm volatile("HERE%=: ret;");
  READ
}

// CHECK-LABEL: plan branches_out
// CHECK: keep storage: no two of
__global__ void branches_out(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL if (t > n) asm volatile("FARTHER: bra FAR;");
  READ
}

// CHECK-LABEL: plan unknown_instruction
// CHECK: keep storage: no two of
__global__ void unknown_instruction(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL if (t > n) asm volatile("frobnicate.sync %0;" ::"r"(n));
  READ
}

// CHECK-LABEL: plan traps
// CHECK: keep storage: no two of
__global__ void traps(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL if (t > n) __builtin_trap();
  READ
}

extern "C" __device__ [[noreturn]] void __assertfail(const char *, int);
// CHECK-LABEL: plan asserts
// CHECK: keep storage: no two of
__global__ void asserts(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL t < n ? void() : __assertfail("t < n", 1);
  READ
}

// CHECK-LABEL: plan exits
// CHECK: keep storage: no two of
__global__ void exits(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL if (t > n) __nvvm_exit();
  READ
}

__device__ void leave() { asm("exit;"); }
__device__ void stay() {}
// CHECK-LABEL: plan through_a_pointer
// CHECK: keep storage: no two of
__global__ void through_a_pointer(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL void (*f)() = t > n ? leave : stay;
  f();
  READ
}

__device__ void countdown(int t, int n) { n ? countdown(t, n - 1) : leave(); }
// CHECK-LABEL: plan recursive
// CHECK: keep storage: no two of
__global__ void recursive(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL if (t > n) countdown(t, n);
  READ
}

__device__ void unseen(int);
// CHECK-LABEL: plan elsewhere
// CHECK: keep storage: no two of
__global__ void elsewhere(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL unseen(t);
  READ
}

struct Base {
  __device__ virtual void run() {}
};
// CHECK-LABEL: plan overridden
// CHECK: keep storage: no two of
__global__ void overridden(int *out, const int *in, int n, Base *b) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL b->run();
  READ
}

// CHECK-LABEL: plan breaks_in_a_head
// CHECK: keep storage: the kernel contains a goto
__global__ void breaks_in_a_head(int *out, const int *in, int n) {
  __shared__ int left[64];
  __shared__ int right[64];
  int t = threadIdx.x;
  FILL for (int i = 0; i < 2; ++i) {
    while (t < 40 || ({ break; 0; }))
      break;
    left[t] = 5;
  }
  READ
}

void launch(int *out, const int *in, Base *b) {
  nothing<<<1, 64>>>(out, in, 7);
  waits<<<1, 64>>>(out, in, 7);
  unreachable<<<1, 64>>>(out, in, 7);
  under_a_predicate<<<1, 64>>>(out, in, 7);
  behind_a_label<<<1, 64>>>(out, in, 7);
  branches_out<<<1, 64>>>(out, in, 7);
  unknown_instruction<<<1, 64>>>(out, in, 7);
  traps<<<1, 64>>>(out, in, 7);
  asserts<<<1, 64>>>(out, in, 7);
  exits<<<1, 64>>>(out, in, 7);
  through_a_pointer<<<1, 64>>>(out, in, 7);
  recursive<<<1, 64>>>(out, in, 7);
  elsewhere<<<1, 64>>>(out, in, 7);
  overridden<<<1, 64>>>(out, in, 7, b);
  breaks_in_a_head<<<1, 64>>>(out, in, 7);
}
