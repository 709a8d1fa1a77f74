// REQUIRES: cuda
// RUN: %cuda-sim --quiet %s -- -I %S > %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes %s -o %t.bytes.cu -- -I %S
// RUN: %cuda-sim --quiet %t.bytes.cu -- -I %S | diff - %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -o %t.default.cu -- -I %S
// RUN: %cuda-sim --quiet %t.default.cu -- -I %S | diff - %t.expected
// RUN: grep -v '^//' %t.bytes.cu | FileCheck %s
//
// Addresses that get out of sight through assembly, lambdas, members and calls.
// In each kernel `a` is read at the end, through what `u` says of its address,
// behind the use of `b`. One kernel shows that they share bytes where no address
// escapes.
#include "Inputs/results.h"
#include <cstring>
#include <new>

typedef unsigned long long Bits;
struct Pointer {
  int *p;
};
struct Number {
  Bits bits;
};

#define END                                                                    \
  __syncthreads();                                                             \
  b[t] = 7 + t;                                                                \
  __syncthreads();                                                             \
  int x = b[63 - t];                                                           \
  __syncthreads();                                                             \
  o[t] = ((int *)u)[63 - t] + x;

// CHECK-LABEL: void stays_inside
// CHECK: union
// CHECK-LABEL: void by_shuffled_integer
// CHECK-NOT: __shared__ union {
__global__ void stays_inside(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  int x = a[63 - t];
  __syncthreads();
  b[t] = 7 + x;
  __syncthreads();
  o[t] = b[63 - t];
}

__global__ void by_shuffled_integer(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = __shfl_sync(~0u, (Bits)q, 0);
  END
}

__global__ void by_volatile(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *volatile v = q;
  u = *(volatile Bits *)&v;
  END
}

__global__ void by_asm(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  asm("mov.u64 %0, %1;" : "=l"(u) : "l"(q));
  END
}

__global__ void by_asm_in_place(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  asm("add.u64 %0, %0, 0;" : "+l"(q));
  u = (Bits)q;
  END
}

__global__ void by_lambda_copy(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  auto f = [=] { return (Bits)q; };
  u = f();
  END
}

__global__ void by_lambda_reference(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  [&] { memcpy(&u, &q, sizeof u); }();
  END
}

__global__ void by_lambda_object(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  auto f = [q] { return q[0]; };
  memcpy(&u, &f, sizeof u);
  END
}

__global__ void by_generic_lambda(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  auto f = [](auto p) { return (Bits)p; };
  u = f(q);
  END
}

__global__ void by_generic_capture(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  auto f = [&](auto) { return *(Bits *)&q; };
  u = f(0);
  END
}

template <class F> __device__ Bits apply(F f, int *p) { return f(p); }
__global__ void by_passed_lambda(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = apply([](int *p) { return *(Bits *)&p; }, q);
  END
}

struct Counted {
  int *p;
  int n;
};
__global__ void by_binding(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  auto [p, n] = Counted{q, 1};
  memcpy(&u, &p, sizeof u);
  END
}

__global__ void by_array(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *all[2] = {q, q};
  u = *(Bits *)&all[1];
  END
}

__global__ void by_decayed_array(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *all[2] = {q, q};
  u = ((Bits *)all)[1];
  END
}

struct Nest {
  struct {
    int n;
    Pointer out;
  } inner;
};
__global__ void by_nested_member(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Nest s{{1, {q}}};
  u = *(Bits *)&s.inner.out.p;
  END
}

__global__ void by_new(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  alignas(8) char buffer[8];
  new (buffer) Pointer{q};
  memcpy(&u, buffer, 8);
  END
}

__device__ constexpr int *Pointer::*Field = &Pointer::p;
__global__ void by_member_pointer(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Pointer s;
  s.*Field = q;
  u = *(Bits *)&(s.*Field);
  END
}

__device__ int *identity(int *p) { return p; }
__global__ void by_returned(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = (Bits)identity(q);
  END
}

struct View {
  int *p;
  __device__ Bits bits() const { return (Bits)p; }
  __device__ operator Bits() const { return (Bits)p; }
};
__device__ View make(int *p) { return {p}; }
__global__ void by_returned_struct(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = make(q).bits();
  END
}

__global__ void by_conversion(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = View{q};
  END
}

struct Taken {
  Bits bits;
  __device__ Taken(int *p) : bits((Bits)p) {}
};
__global__ void by_constructor(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = Taken(q).bits;
  END
}

struct Heir : Taken {
  using Taken::Taken;
};
__global__ void by_inherited_constructor(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = Heir(q).bits;
  END
}

struct Copied {
  int *p = nullptr;
  Bits bits = 0;
  __device__ Copied() {}
  __device__ Copied(const Copied &o) : p(o.p), bits((Bits)o.p) {}
};
struct Outer {
  Copied h;
};
__global__ void by_member_copy(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Outer s;
  s.h.p = q;
  Outer t2 = s;
  u = t2.h.bits;
  END
}

struct Assigned {
  int *p = nullptr;
  Bits bits = 0;
  __device__ Assigned &operator=(const Assigned &o) {
    memcpy(&bits, &o.p, sizeof bits);
    return *this;
  }
};
struct Outer2 {
  Assigned h;
};
__global__ void by_member_assignment(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Outer2 s, t2;
  s.h.p = q;
  t2 = s;
  u = t2.h.bits;
  END
}

struct Derived : Pointer {
  int n;
};
__global__ void by_base(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Derived s;
  s.p = q;
  u = ((Number &)(Pointer &)s).bits;
  END
}

#define RUN(NAME)                                                              \
  {                                                                            \
    Results<64> Result(#NAME);                                                 \
    NAME<<<1, 64>>>(Result.Out, Result.In);                                    \
  }

int main() {
  RUN(stays_inside)
  RUN(by_shuffled_integer)
  RUN(by_volatile)
  RUN(by_asm)
  RUN(by_asm_in_place)
  RUN(by_lambda_copy)
  RUN(by_lambda_reference)
  RUN(by_lambda_object)
  RUN(by_generic_lambda)
  RUN(by_generic_capture)
  RUN(by_passed_lambda)
  RUN(by_binding)
  RUN(by_array)
  RUN(by_decayed_array)
  RUN(by_nested_member)
  RUN(by_new)
  RUN(by_member_pointer)
  RUN(by_returned)
  RUN(by_returned_struct)
  RUN(by_conversion)
  RUN(by_constructor)
  RUN(by_inherited_constructor)
  RUN(by_member_copy)
  RUN(by_member_assignment)
  RUN(by_base)
}
