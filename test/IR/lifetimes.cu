// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// Objects begin and end where C++ says: elements of arrays, members and bases in
// their place, temporaries of default arguments, destructors.

#include "cuda.h"

struct Four {
  int v;
  __device__ Four(int v = 4) : v(v) {}
};

// CHECK-LABEL: kernel elements
// CHECK: store s32 [@s], 4
// CHECK: store s32 [@s + 4], 4
// CHECK: store s32 [@s + 8], 4
// CHECK-NOT: opaque
// CHECK: leave
__global__ void elements(int *o, int i) {
  Four s[3];
  *o = s[i].v;
}

// Many elements are a loop.
// CHECK-LABEL: kernel many
// CHECK: B1: loop
// CHECK: branch %1 < 40, B2, B3
// CHECK: store s32 [@s + %1 * 4], 4
__global__ void many(int *o, int i) {
  Four s[40];
  *o = s[i].v;
}

// The rest of a list is filled.
// CHECK-LABEL: kernel filled
// CHECK: store s32 [@s], 1
// CHECK: store s32 [@s + 4], 4
// CHECK: store s32 [@s + 8], 4
__global__ void filled(int *o, int i) {
  Four s[3] = {1};
  *o = s[i].v;
}

__device__ const Four &pass(const Four &s = Four()) { return s; }
__device__ bool same(const Four &a, const Four &b) { return &a == &b; }
// Each call has a default argument of its own.
// CHECK-LABEL: kernel defaults
// CHECK: store s32 [@[[A:temporary[.0-9]*]]], 4
// CHECK: store s32 [@[[B:temporary[.0-9]*]]], 4
// CHECK: @[[A]] == @[[B]]
__global__ void defaults(int *o) { *o = same(pass(), pass()); }

__device__ int line(int l = __builtin_LINE()) { return l; }
// CHECK-LABEL: kernel lines
// CHECK: store s32 [@*o], [[@LINE+2]]
__global__ void lines(int *o) {
  *o = line();
}

struct Guard {
  int *p;
  int n;
  __device__ Guard(int *p, int n) : p(p), n(n) {}
  __device__ ~Guard() { *p = n; }
};
struct Two {
  Guard a, b;
  __device__ Two(int *p) : a(p, 1), b(p, 2) {}
};
// Members end before the object, in the other order, and behind the body.
// CHECK-LABEL: kernel members
// CHECK:      store s32 [@*o], 9
// CHECK-NEXT: store s32 [@*o], 2
// CHECK-NEXT: store s32 [@*o], 1
// CHECK-NEXT: leave
__global__ void members(int *o) {
  Two t(o);
  *o = 9;
}

// What is returned may be made in its place, and does not end then.
struct Pair {
  Guard a;
};
__device__ Guard make(int *p) {
  Guard g(p, 3);
  *p = 8;
  return g;
}
// CHECK-LABEL: kernel returned
// CHECK: opaque ~Guard(
__global__ void returned(int *o) { Guard g = make(o); }

struct Base {
  Base *self;
  __device__ Base() : self(this) {}
};
struct Derived : Base {
  int d;
  __device__ Derived(int d) : d(d) {}
};
// A base is made in its place.
// CHECK-LABEL: kernel based
// CHECK: store ptr [@x], @x
// CHECK-NOT: opaque
// CHECK: leave
__global__ void based(Base **o, int n) {
  Derived x(n);
  *o = x.self;
}

struct Empty {};
struct First {
  int a;
};
struct Second {
  int b;
};
struct Both : First, Second {
  int c;
};
// CHECK-LABEL: kernel down
// CHECK: load s32 [@*s + 4]
__global__ void down(int *o, Second &s) { *o = static_cast<Both &>(s).c; }

template <class T> struct Static {
  __device__ int get() { return static_cast<T *>(this)->value; }
};
struct Value : Static<Value> {
  int value;
};
// CHECK-LABEL: kernel crtp
// CHECK: store s32 [@*o], %n
__global__ void crtp(int *o, int n) {
  Value v;
  v.value = n;
  *o = v.get();
}

struct Watched {
  volatile int x;
};
// CHECK-LABEL: kernel watched
// CHECK: volatile {{copy 4 bytes|store s32}} [@*a]
// CHECK: volatile copy 4 bytes [@c], @*a
__global__ void watched(Watched *a, Watched *b) {
  *a = *b;
  Watched c = *a;
}
