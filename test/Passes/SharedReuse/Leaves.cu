// REQUIRES: cuda
// RUN: %cuda-sim --quiet %s -- -I %S > %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes %s -o %t.bytes.cu -- -I %S
// RUN: %cuda-sim --quiet %t.bytes.cu -- -I %S | diff - %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -o %t.default.cu -- -I %S
// RUN: %cuda-sim --quiet %t.default.cu -- -I %S | diff - %t.expected
// RUN: grep -v '^//' %t.bytes.cu | FileCheck %s
//
// Threads that leave a kernel, or a part of it, in a way that is no plain return:
// the rest of the block does not write all of `a` anew, so that some of the
// values from before the use of `b` are read at the end. Two kernels show that
// the arrays share bytes where nobody leaves.
#include "Inputs/results.h"

#define BEGIN                                                                  \
  int t = threadIdx.x;                                                         \
  a[t] = in[t];                                                                \
  __syncthreads();                                                             \
  o[t] = a[63 - t];                                                            \
  __syncthreads();                                                             \
  b[t] = n;                                                                    \
  __syncthreads();                                                             \
  o[64 + t] = b[63 - t];                                                       \
  __syncthreads();
#define END                                                                    \
  __syncthreads();                                                             \
  o[128 + t] = a[63 - t];

// CHECK-LABEL: void nobody_leaves
// CHECK: union {
__global__ void nobody_leaves(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  a[t] = 5;
  END
}

// What may look like it: other assembly, a hint, the return of a lambda.
// CHECK-LABEL: void nobody_really_leaves
// CHECK: union {
__global__ void nobody_really_leaves(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  asm volatile("{\n .reg .b32 r;\n mov.b32 r, %0;\n}" ::"r"(t));
  if (n < 0)
    __builtin_unreachable();
  auto f = [&](int i) {
    if (i >= 40)
      return 1;
    return 2;
  };
  o[t] += f(t);
  a[t] = 5;
  END
}

// CHECK-LABEL: void by_asm
__global__ void by_asm(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  if (t >= 40)
    asm volatile("exit;");
  a[t] = 5;
  END
}

#define LEAVE_FROM(N)                                                          \
  if (t >= N)                                                                  \
    asm volatile("// ends it\n exit;");
__global__ void by_asm_macro(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  LEAVE_FROM(40)
  a[t] = 5;
  END
}

__device__ void leave() { asm volatile("exit;"); }
__device__ void leave_from(int t, int n) {
  if (t >= n)
    leave();
}
__global__ void by_function(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  leave_from(t, 40);
  a[t] = 5;
  END
}

template <int N> __device__ void leave_template(int t) {
  if (t >= N)
    asm volatile("exit;");
}
__global__ void by_template(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  leave_template<40>(t);
  a[t] = 5;
  END
}

template <bool Leaves> __device__ void leave_constexpr(int t) {
  if constexpr (Leaves)
    leave_from(t, 40);
}
__global__ void by_constexpr_if(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  leave_constexpr<true>(t);
  a[t] = 5;
  END
}

[[noreturn]] __device__ void never() {
  asm volatile("exit;");
  __builtin_unreachable();
}
__global__ void by_noreturn(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  if (t >= 40)
    never();
  a[t] = 5;
  END
}

__global__ void by_or(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  (t < 40) || ({ return; 0; });
  a[t] = 5;
  END
}

__global__ void by_and(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  (t >= 40) && ({ return; 0; });
  a[t] = 5;
  END
}

__global__ void by_question(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int z = t < 40 ? 1 : ({ return; 0; });
  o[t] += z;
  a[t] = 5;
  END
}

__global__ void by_elvis(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int z = (t < 40) ?: ({ return; 0; });
  o[t] += z;
  a[t] = 5;
  END
}

__global__ void by_comma(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  (void)(0, (t < 40) || ({ return; 0; }));
  a[t] = 5;
  END
}

__global__ void by_condition(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  if (t < 40 || ({ return; 0; }))
    o[t] += 1;
  a[t] = 5;
  END
}

__global__ void by_for_condition(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  for (int i = 0; i < 2 && (t < 40 || ({ return; 0; })); ++i)
    o[t] += 1;
  a[t] = 5;
  END
}

__global__ void by_for_increment(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  for (int i = 0; i < 2; i += t < 40 ? 1 : ({ return; 0; }))
    o[t] += 1;
  a[t] = 5;
  END
}

__global__ void by_while_condition(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int i = 0;
  while (i < 2 && (t < 40 || ({ return; 0; })))
    ++i;
  a[t] = 5;
  END
}

__global__ void by_do_condition(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int i = 0;
  do
    ++i;
  while (i < 2 && (t < 40 || ({ return; 0; })));
  a[t] = 5;
  END
}

__global__ void by_switch_condition(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  switch (t < 40 ? 1 : ({ return; 0; })) {
  case 1:
    o[t] += 1;
  }
  a[t] = 5;
  END
}

__global__ void by_switch(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  switch (t / 40) {
  case 0:
    break;
  case 1:
    o[t] += 1;
  default:
    return;
  }
  a[t] = 5;
  END
}

__global__ void by_range(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int all[] = {40, 50};
  for (int n : all)
    if (t >= n)
      return;
  a[t] = 5;
  END
}

__global__ void by_range_expression(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int all[] = {40, 50};
  for (int n : all)
    t < n || ({ return; 0; });
  a[t] = 5;
  END
}

__global__ void by_loop(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  for (int i = 0; i < 3; ++i)
    if (t >= 60 - 10 * i)
      return;
  a[t] = 5;
  END
}

__global__ void by_asm_in_loop(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  for (int i = 0; i < 3; ++i)
    if (t >= 60 - 10 * i)
      asm volatile("exit;");
  a[t] = 5;
  END
}

__global__ void by_lambda(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  auto f = [&] {
    if (t >= 40)
      asm volatile("exit;");
  };
  f();
  a[t] = 5;
  END
}

__global__ void by_generic_lambda(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  auto f = [](auto n) {
    if (n >= 40)
      leave();
  };
  f(t);
  a[t] = 5;
  END
}

struct Leaver {
  int n;
  __device__ void check(int t) const { leave_from(t, n); }
  __device__ int operator()(int t) const {
    leave_from(t, n);
    return t;
  }
  __device__ int operator+(int t) const { return (*this)(t); }
  __device__ operator int() const {
    leave_from(threadIdx.x, n);
    return n;
  }
};
__global__ void by_method(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  Leaver{40}.check(t);
  a[t] = 5;
  END
}

#define RUN(NAME)                                                              \
  {                                                                            \
    Results<192> Result(#NAME);                                                \
    NAME<<<1, 64>>>(Result.Out, Result.In, 7);                                 \
  }

int main() {
  RUN(nobody_leaves)
  RUN(nobody_really_leaves)
  RUN(by_asm)
  RUN(by_asm_macro)
  RUN(by_function)
  RUN(by_template)
  RUN(by_constexpr_if)
  RUN(by_noreturn)
  RUN(by_or)
  RUN(by_and)
  RUN(by_question)
  RUN(by_elvis)
  RUN(by_comma)
  RUN(by_condition)
  RUN(by_for_condition)
  RUN(by_for_increment)
  RUN(by_while_condition)
  RUN(by_do_condition)
  RUN(by_switch_condition)
  RUN(by_switch)
  RUN(by_range)
  RUN(by_range_expression)
  RUN(by_loop)
  RUN(by_asm_in_loop)
  RUN(by_lambda)
  RUN(by_generic_lambda)
  RUN(by_method)
}
