// RUN: %cuda-opt --print=ir %s -- %cuda-flags -std=c++20 | FileCheck %s
//
// Objects of classes: who fills them, where they are made, who may change them.

#include "cuda.h"

// A vector of four is stored at once, and its padding is nobody's but its own.
// CHECK-LABEL: kernel quad
// CHECK: copy 16 bytes [@s + 16], @*p
__global__ void quad(float4 *p) {
  __shared__ float4 s[4];
  s[1] = *p;
}

struct Head {
  int a;
  char b;
  __device__ Head() {}
};
struct Tail : Head {
  char c;
};
// CHECK-LABEL: kernel head
// CHECK: copy 5 bytes [@*t], @*h
__global__ void head(Tail *t, Head *h) { *static_cast<Head *>(t) = *h; }

struct Arguments {
  int n;
  int *q;
};
// CHECK-LABEL: kernel filledByCaller
// CHECK: @a parameter 16 bytes
// CHECK: %1 = load s32 [@a]
// CHECK: store s32 [@*o], %1
__global__ void filledByCaller(Arguments a, int *o) { *o = a.n; }

// CHECK-LABEL: kernel literal
// CHECK: load s8 [@string + 1]
__global__ void literal(char *o) {
  const char *s = "abc";
  *o = s[1];
}

// A constant of the function around a lambda needs no capture.
// CHECK-LABEL: kernel constant
// CHECK: store f32 [@*o], 3.5E+0
__global__ void constant(float *o) {
  constexpr float pi = 3.5f;
  auto f = [] { return pi; };
  *o = f();
}

struct Pair {
  int a, b;
};
// CHECK-LABEL: kernel binding
// CHECK: store s32 [@*o], %x + 5
__global__ void binding(int *o, int x) {
  Pair p = {x, 5};
  auto [a, b] = p;
  auto f = [=] { return a + b; };
  *o = f();
}

struct Defaulted {
  int x;
  int y = x + 1;
};
struct Outer {
  int x;
  __device__ int f() {
    Defaulted d{5};
    return d.y;
  }
};
// `this` in a default member initialiser is the object that is made.
// CHECK-LABEL: kernel defaulted
// CHECK: store s32 [@*o], 6
__global__ void defaulted(int *o) {
  Outer m{100};
  *o = m.f();
}

struct Base {
  int b;
};
struct Derived : Base {
  int d = 1;
};
// CHECK-LABEL: kernel zeroed
// CHECK: store s32 [@*o], 0
__global__ void zeroed(int *o) {
  Derived x = Derived();
  *o = x.b;
}

struct Enumerated {
  enum { N = 4 };
  int x;
};
// CHECK-LABEL: kernel enumerated
// CHECK: store s32 [@*o], 4
__global__ void enumerated(int *o) {
  Enumerated s;
  *o = s.N;
}

struct Selfish {
  Selfish *self;
  int x;
  __device__ Selfish() : self(this), x(1) {}
};
// An object is made in its place: its constructor may keep the address.
// CHECK-LABEL: kernel inPlace
// CHECK: store ptr [@s], @s
// CHECK: %1 = load ptr [@s]
// CHECK: store s32 [%1 + 8], 5
// CHECK: %2 = load s32 [@s + 8]
// CHECK: store s32 [@*o], %2
__global__ void inPlace(int *o) {
  Selfish s;
  s.self->x = 5;
  *o = s.x;
}

__device__ void elsewhere(int *p);
// What an opaque call may reach stays in memory, behind parentheses, too.
// CHECK-LABEL: kernel reached
// CHECK: opaque elsewhere(@x) @x
// CHECK: %1 = load s32 [@x]
// CHECK: store s32 [@*o], %1
__global__ void reached(int *o) {
  int x = 1;
  elsewhere((&x));
  *o = x;
}

// CHECK-LABEL: kernel output
// CHECK: opaque asm({{.*}}@y) @y
// CHECK: load s32 [@y]
__global__ void output(int *o) {
  int y = 1;
  asm("unheard.of.u32 %0, 5;" : "=r"((y)));
  *o = y;
}

struct Guard {
  int *p;
  __device__ Guard(int *p) : p(p) {}
  __device__ ~Guard() { *p = 7; }
};
// A destructor is a call, too.
// CHECK-LABEL: kernel guarded
// CHECK: store s32 [@*o], 7
__global__ void guarded(int *o) {
  int x = 1;
  (void)Guard(&x);
  *o = x;
}

struct Fields {
  int bits : 3;
  int *p;
};
// CHECK-LABEL: kernel fields
// CHECK: store s32 [@*o], 5
__global__ void fields(int *o) {
  int x = 1;
  Fields f{1, &x};
  *f.p = 5;
  *o = x;
}
