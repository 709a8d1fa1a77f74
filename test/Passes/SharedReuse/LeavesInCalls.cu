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

__device__ void leave() { asm volatile("exit;"); }
__device__ void leave_from(int t, int n) {
  if (t >= n)
    leave();
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
// CHECK-LABEL: void by_call_operator
__global__ void by_call_operator(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  Leaver f{40};
  o[t] += f(t);
  a[t] = 5;
  END
}

__global__ void by_operator(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  o[t] += Leaver{40} + t;
  a[t] = 5;
  END
}

__global__ void by_conversion(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int m = Leaver{40};
  o[t] += m;
  a[t] = 5;
  END
}

template <class F> __device__ int call(F f, int t) { return f(t); }
__global__ void by_functor(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  o[t] += call(Leaver{40}, t);
  a[t] = 5;
  END
}

struct Checked {
  __device__ Checked(int t) { leave_from(t, 40); }
};
__global__ void by_constructor(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  Checked c(t);
  a[t] = 5;
  END
}

struct Wrapped {
  Checked inner;
};
__global__ void by_member_constructor(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  Wrapped c{Checked(t)};
  a[t] = 5;
  END
}

struct Based {
  int n;
  __device__ Based(int t) : n((leave_from(t, 40), 1)) {}
};
__global__ void by_initialiser(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  Based c(t);
  a[t] = 5;
  END
}

struct Guard {
  int t;
  __device__ ~Guard() { leave_from(t, 40); }
};
__global__ void by_destructor(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  {
    Guard g{t};
  }
  a[t] = 5;
  END
}

__device__ int leave_int() {
  leave_from(threadIdx.x, 40);
  return 1;
}
__device__ int with_default(int n = leave_int()) { return n; }
__global__ void by_default_argument(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  o[t] += with_default();
  a[t] = 5;
  END
}

struct Defaulted {
  int n = leave_int();
};
__global__ void by_default_member(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  Defaulted d{};
  o[t] += d.n;
  a[t] = 5;
  END
}

__device__ void leave_and_meet(int t) {
  leave_from(t, 40);
  __syncthreads();
}
__global__ void by_spliced_call(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  leave_and_meet(t);
  a[t] = 5;
  END
}

__device__ int twice(int n) { return 2 * n; }
__global__ void by_statement_in_argument(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  o[t] += twice(t < 40 ? 1 : ({ return; 0; }));
  a[t] = 5;
  END
}

__global__ void by_barrier_operand(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  o[t] += __syncthreads_count(t < 20) + (t < 40 || ({ return; 0; }));
  a[t] = 5;
  END
}

__global__ void by_variable(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  int z = ({
    if (t >= 40)
      return;
    1;
  });
  o[t] += z;
  a[t] = 5;
  END
}

__global__ void by_if_init(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  if (int z = ({ if (t >= 40) return; 1; }); z)
    o[t] += 1;
  a[t] = 5;
  END
}

__device__ void check(int *n) { leave_from(*n, 40); }
__global__ void by_cleanup(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  {
    __attribute__((cleanup(check))) int z = t;
  }
  a[t] = 5;
  END
}

__global__ void by_nested_expression(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  (t < 40 || ({
     if (n == 7)
       return;
     0;
   }));
  a[t] = 5;
  END
}

__global__ void in_subscript(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  a[({
    if (t >= 40)
      return;
    t;
  })] = 5;
  END
}

__global__ void in_value(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  a[t] = t < 40 ? 5 : ({
    return;
    0;
  });
  END
}

__global__ void in_write_by_call(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  a[t] = leave_int();
  END
}

__global__ void in_break(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  for (int i = 0; i < 1; ++i) {
    t < 40 || ({
      break;
      0;
    });
    a[t] = 5;
  }
  END
}

__global__ void in_continue(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  for (int i = 0; i < 1; ++i) {
    t < 40 || ({
      continue;
      0;
    });
    a[t] = 5;
  }
  END
}

__global__ void in_skipped(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  (t < 40) && ({
    a[t] = 5;
    1;
  });
  END
}

__global__ void in_lambda(int *o, const int *in, int n) {
  __shared__ int a[64];
  __shared__ int b[64];
  BEGIN
  [&] {
    if (t >= 40)
      return;
    a[t] = 5;
  }();
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
  RUN(by_call_operator)
  RUN(by_operator)
  RUN(by_conversion)
  RUN(by_functor)
  RUN(by_constructor)
  RUN(by_member_constructor)
  RUN(by_initialiser)
  RUN(by_destructor)
  RUN(by_default_argument)
  RUN(by_default_member)
  RUN(by_spliced_call)
  RUN(by_statement_in_argument)
  RUN(by_barrier_operand)
  RUN(by_variable)
  RUN(by_if_init)
  RUN(by_cleanup)
  RUN(by_nested_expression)
  RUN(in_subscript)
  RUN(in_value)
  RUN(in_write_by_call)
  RUN(in_break)
  RUN(in_continue)
  RUN(in_skipped)
  RUN(in_lambda)
}
