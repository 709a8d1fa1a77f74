// REQUIRES: cuda
// RUN: %cuda-sim --quiet %s -- -I %S > %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes %s -o %t.bytes.cu -- -I %S
// RUN: %cuda-sim --quiet %t.bytes.cu -- -I %S | diff - %t.expected
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -o %t.default.cu -- -I %S
// RUN: %cuda-sim --quiet %t.default.cu -- -I %S | diff - %t.expected
// RUN: grep -v '^//' %t.bytes.cu | FileCheck %s
//
// The bytes of a pointer, as a number that leads to the array again.
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
// CHECK-LABEL: void by_memcpy
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

__global__ void by_memcpy(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  memcpy(&u, &q, sizeof u);
  END
}

__global__ void by_builtin_memcpy(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  __builtin_memcpy(&u, &q, sizeof u);
  END
}

__global__ void by_memmove(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  __builtin_memmove(&u, &q, sizeof u);
  END
}

__global__ void by_deref(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = *(Bits *)&q;
  END
}

__global__ void by_reference_cast(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = (Bits &)q;
  END
}

__global__ void by_reinterpret_cast(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = reinterpret_cast<Bits &>(q);
  END
}

union Word {
  int *p;
  Bits bits;
};
__global__ void by_union(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Word word;
  word.p = q;
  u = word.bits;
  END
}

struct Words {
  int n;
  Word either;
};
__global__ void by_union_list(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Words word = {1, {q}};
  u = word.either.bits;
  END
}

struct Either {
  union {
    int *p;
    Bits bits;
  };
};
__global__ void by_anonymous_union(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Either word;
  word.p = q;
  u = word.bits;
  END
}

__global__ void by_byte_loop(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  for (int i = 0; i < 8; ++i)
    ((unsigned char *)&u)[i] = ((unsigned char *)&q)[i];
  END
}

__global__ void by_char_buffer(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  alignas(8) char buffer[8];
  *(int **)buffer = q;
  memcpy(&u, buffer, 8);
  END
}

__global__ void by_double(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  double d = *(double *)&q;
  u = __double_as_longlong(d);
  END
}

__global__ void by_float2(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  float2 f = *(float2 *)&q;
  u = (Bits)__float_as_uint(f.y) << 32 | __float_as_uint(f.x);
  END
}

__global__ void by_struct_cast(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Pointer s{q};
  u = ((Number &)s).bits;
  END
}

__global__ void by_struct_memcpy(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Pointer s{q};
  Number n;
  memcpy(&n, &s, sizeof n);
  u = n.bits;
  END
}

__global__ void by_bit_cast(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = __builtin_bit_cast(Bits, q);
  END
}

__global__ void by_struct_bit_cast(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  Pointer s{q};
  u = __builtin_bit_cast(Number, s).bits;
  END
}

template <class T, class F> __device__ T bits_of(const F &from) {
  T to;
  memcpy(&to, &from, sizeof to);
  return to;
}
__global__ void by_template(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = bits_of<Bits>(q);
  END
}

template <class T, class F> __device__ T cast_of(F &from) {
  return *(T *)&from;
}
__global__ void by_template_cast(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = cast_of<Bits>(q);
  END
}

__global__ void by_pointer_to_pointer(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int **pp = &q;
  u = *(Bits *)pp;
  END
}

__global__ void by_void_pointer(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  void *v = &q;
  u = *(Bits *)v;
  END
}

__device__ Bits read(const void *p) { return *(const Bits *)p; }
__global__ void by_void_parameter(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = read(&q);
  END
}

__global__ void by_two_levels(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  void **vv = (void **)&q;
  u = (Bits)*vv;
  END
}

__global__ void by_halves(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  int lo = __shfl_sync(~0u, ((int *)&q)[0], 0);
  int hi = __shfl_sync(~0u, ((int *)&q)[1], 0);
  u = (Bits)hi << 32 | (unsigned)lo;
  END
}

__global__ void by_shuffle(int *o, const int *in) {
  __shared__ int a[64];
  __shared__ int b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  int *q = a;
  Bits u = 0;
  u = __shfl_sync(~0u, *(Bits *)&q, 0);
  END
}

#define RUN(NAME)                                                              \
  {                                                                            \
    Results<64> Result(#NAME);                                                 \
    NAME<<<1, 64>>>(Result.Out, Result.In);                                    \
  }

int main() {
  RUN(stays_inside)
  RUN(by_memcpy)
  RUN(by_builtin_memcpy)
  RUN(by_memmove)
  RUN(by_deref)
  RUN(by_reference_cast)
  RUN(by_reinterpret_cast)
  RUN(by_union)
  RUN(by_union_list)
  RUN(by_anonymous_union)
  RUN(by_byte_loop)
  RUN(by_char_buffer)
  RUN(by_double)
  RUN(by_float2)
  RUN(by_struct_cast)
  RUN(by_struct_memcpy)
  RUN(by_bit_cast)
  RUN(by_struct_bit_cast)
  RUN(by_template)
  RUN(by_template_cast)
  RUN(by_pointer_to_pointer)
  RUN(by_void_pointer)
  RUN(by_void_parameter)
  RUN(by_two_levels)
  RUN(by_halves)
  RUN(by_shuffle)
}
