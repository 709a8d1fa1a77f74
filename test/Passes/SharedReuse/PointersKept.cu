// REQUIRES: cuda
// RUN: %cuda-sim --quiet %s -- -I %S > %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes %s -o %t.bytes.cu -- -I %S
// RUN: %cuda-sim --quiet %t.bytes.cu -- -I %S | diff - %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -o %t.default.cu -- -I %S
// RUN: %cuda-sim --quiet %t.default.cu -- -I %S | diff - %t.expected
// RUN: grep -v '^//' %t.bytes.cu | FileCheck %s
//
// Addresses that get out of sight through memory, statements and numbers.
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
// CHECK-LABEL: void by_global
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

__device__ int *Global;
__global__ void by_global(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Global = q;
  __syncthreads();
  u = (Bits)Global;
  END
}

__global__ void by_shared(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  __shared__ int *kept;
  kept = q;
  __syncthreads();
  u = (Bits)kept;
  END
}

__global__ void by_local_table(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *all[4] = {nullptr, nullptr, nullptr, nullptr};
  all[t & 3] = q;
  int *r = all[t & 3];
  u = (Bits)r;
  END
}

__device__ Bits GlobalBits;
__global__ void by_exchange(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  GlobalBits = 0;
  u = atomicExch((Bits *)&q, 0ull);
  END
}

__global__ void by_atomic_load(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *r;
  __atomic_load(&q, &r, 0);
  u = (Bits)r;
  END
}

__global__ void by_window(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  unsigned s = (unsigned)__cvta_generic_to_shared(q);
  u = (Bits)__cvta_shared_to_generic(s);
  END
}

__global__ void by_goto(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  q = nullptr;
  again:
  if (!q) {
    q = a;
    goto again;
  }
  u = *(Bits *)&q;
  END
}

__global__ void by_range(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *all[1] = {q};
  for (int *&p : all)
    memcpy(&u, &p, sizeof u);
  END
}

__global__ void by_condition(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  if (int *&r = q)
    u = (Bits &)r;
  END
}

__global__ void by_comma(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = *(Bits *)(t, &q);
  END
}

__global__ void by_elvis(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int **none = nullptr;
  u = *(Bits *)(none ?: &q);
  END
}

__global__ void by_compound_literal(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = *(Bits *)&((const Pointer &)(Pointer){q});
  END
}

__global__ void by_statement_expression(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = ({
    int *z = q;
    *(Bits *)&z;
  });
  END
}

__global__ void by_assigned_number(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  *(int **)&u = q;
  END
}

__device__ void put(int **to, int *p) { *to = p; }
__global__ void by_out_parameter(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  put((int **)&u, q);
  END
}

__global__ void by_reference_to_number(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *&r = (int *&)u;
  r = q;
  END
}

struct Fields {
  Bits lo : 32, hi : 32;
};
__global__ void by_bit_fields(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Fields f = *(Fields *)&q;
  u = (Bits)f.hi << 32 | f.lo;
  END
}

__global__ void by_chosen_object(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *other = nullptr;
  u = *(Bits *)&(t < 64 ? q : other);
  END
}

__global__ void by_swapped(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int *other = nullptr;
  int *&first = other, *&second = q;
  int *z = first;
  first = second;
  second = z;
  u = (Bits &)other;
  END
}

struct Held {
  int v[64];
  __device__ Bits me() { return (Bits)this; }
  __device__ int &operator[](int i) { return v[i]; }
};
__global__ void by_this(int *o, const int *in) {
  __shared__ Held a;
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a.v;
  Bits u = 0;
  u = a.me();
  END
}

struct Shown {
  int v[64];
  __device__ Bits bytes() {
    Shown *me = this;
    return *(Bits *)&me;
  }
  __device__ int &operator[](int i) { return v[i]; }
};
__global__ void by_this_bytes(int *o, const int *in) {
  __shared__ Shown a;
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a.v;
  Bits u = 0;
  u = a.bytes();
  END
}

__device__ Bits Noted;
__device__ void note(int **p) { Noted = *(Bits *)p; }
__global__ void by_cleanup(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  {
    __attribute__((cleanup(note))) int *z = q;
  }
  u = Noted;
  END
}

#define RUN(NAME)                                                              \
  {                                                                            \
    Results<64> Result(#NAME);                                                 \
    NAME<<<1, 64>>>(Result.Out, Result.In);                                    \
  }

int main() {
  RUN(stays_inside)
  RUN(by_global)
  RUN(by_shared)
  RUN(by_local_table)
  RUN(by_exchange)
  RUN(by_atomic_load)
  RUN(by_window)
  RUN(by_goto)
  RUN(by_range)
  RUN(by_condition)
  RUN(by_comma)
  RUN(by_elvis)
  RUN(by_compound_literal)
  RUN(by_statement_expression)
  RUN(by_assigned_number)
  RUN(by_out_parameter)
  RUN(by_reference_to_number)
  RUN(by_bit_fields)
  RUN(by_chosen_object)
  RUN(by_swapped)
  RUN(by_this)
  RUN(by_this_bytes)
  RUN(by_cleanup)
}
