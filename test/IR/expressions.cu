// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// What C++ means: conversions, order of evaluation, ways that join.

#include "cuda.h"

// The value of an assignment is what was stored; y is not read again.
// CHECK-LABEL: kernel chained
// CHECK:      store s32 [@*y], 3
// CHECK-NEXT: store s32 [@*x], 3
// CHECK-NEXT: leave
__global__ void chained(int *x, int *y) { *x = *y = 3; }

// The right side comes first.
// CHECK-LABEL: kernel order
// CHECK:      %1 = load s32 [@*b]
// CHECK-NEXT: %2 = load s32 [@*a]
// CHECK-NEXT: store s32 [@*a], %2 + %1
__global__ void order(int *a, int *b) { *a += *b; }

// A char is promoted, and what comes back is cut off.
// CHECK-LABEL: kernel promoted
// CHECK:      %1 = load s8 [@*c]
// CHECK-NEXT: store s8 [@*c], s8(s32(%1) + 1)
__global__ void promoted(char *c) { ++*c; }

// An int that subscripts is extended by its sign, an unsigned one by zeros.
// CHECK-LABEL: kernel extended
// CHECK: load f32 [@*p + s64(%i) * 4]
// CHECK: load f32 [@*p + u64(%u + 1) * 4]
__global__ void extended(float *p, int i, unsigned u) { *p = p[i] + p[u + 1]; }

// 64-bit constants are no int64_t.
// CHECK-LABEL: kernel wide
// CHECK: store u64 [@*p], 18446744073709551615
__global__ void wide(unsigned long long *p) { *p = ~0ull; }

// A signed overflow has no value, an unsigned one wraps.
// CHECK-LABEL: kernel overflows
// CHECK: store s32 [@*p], 2147483647 + 1
// CHECK: store u32 [@*q], 0
__global__ void overflows(int *p, unsigned *q) {
  int most = 2147483647;
  *p = most + 1;
  unsigned all = 4294967295u;
  *q = all + 1;
}

// A way that leaves `&&` early brings what it was left with.
// CHECK-LABEL: kernel conjunction
// CHECK:      branch %1 > 0, B1, B2
// CHECK:      B1:
// CHECK-NEXT: %2 = load s32 [@*q]
// CHECK:      B2:
// CHECK-NEXT: %3 = phi bool [B0: false] [B1: %2 > 0]
// CHECK-NEXT: store s32 [@*r], s32(%3)
__global__ void conjunction(int *p, int *q, int *r) { *r = *p > 0 && *q > 0; }

// CHECK-LABEL: kernel nested
// CHECK: phi bool [B{{[0-9]+}}: {{true|false|%[0-9]+}}] {{.*}}[B{{[0-9]+}}: {{.*}}]
__global__ void nested(bool *p, bool a, bool b, bool c, bool d) {
  *p = (a || b) && (c || d);
}

// CHECK-LABEL: kernel conditional
// CHECK: phi s32 [B1: %{{[0-9]+}}] [B2: 7]
__global__ void conditional(int *p, int *q, int n) { *p = n > 3 ? *q : 7; }

// What is read of a choice is read in its arms: the address of i goes nowhere.
// CHECK-LABEL: kernel read
// CHECK-NOT:  @i
// CHECK:      %1 = load s32 [@*p]
// CHECK:      %2 = phi s32 {{.*}}%1] {{.*}}: %n]
// CHECK-NEXT: store s32 [@*q], %2
__global__ void read(int *p, int *q, int n) {
  int i = n;
  *q = n > 3 ? *p : i;
}

// The arm that is chosen is stored to.
// CHECK-LABEL: kernel chosen
// CHECK: %1 = phi ptr [B1: @*p] [B2: @*q]
// CHECK: store s32 [%1], 1
__global__ void chosen(int *p, int *q, int n) { (n ? *p : *q) = 1; }

// A comma reads nothing that it drops.
// CHECK-LABEL: kernel dropped
// CHECK-NOT: load f32 [@*p + 20]
// CHECK: store f32 [@*p], %v
__global__ void dropped(float *p, float v) { *p = (p[5], v); }

// The difference of two pointers counts elements.
// CHECK-LABEL: kernel difference
// CHECK: store s64 [@*d], (s64(@*p + s64(%n) * 4) - s64(@*p)) / 4
__global__ void difference(float *p, long *d, int n) { *d = (p + n) - p; }

enum Sizes { Rows = 4, Columns = 8 };
// CHECK-LABEL: kernel named
// CHECK: store s32 [@*p + 16], 32
__global__ void named(int *p) { p[Rows] = Rows * Columns; }

// A volatile variable is memory.
// CHECK-LABEL: kernel kept
// CHECK: volatile store s32 [@v], 1
// CHECK: volatile load s32 [@v]
__global__ void kept(int *p) {
  volatile int v = 1;
  *p = v;
}

// What is exact is computed; what is rounded is left to who runs it.
// CHECK-LABEL: kernel exact
// CHECK: store f32 [@*p], 2.75
// CHECK: store s32 [@*q], -5
// CHECK: store f32 [@*p + 4], {{[0-9.E-]+}} * 3.0E+0
// CHECK: store f32 [@*p + 8], 1.0E+0 / 3.0E+0
// CHECK: store s32 [@*q + 4], s32({{.*}})
__global__ void exact(float *p, int *q) {
  float half = 0.5f, tenth = 0.1f, three = 3;
  *p = half * 6 - 0.25f;
  *q = -5.75;
  p[1] = tenth * three;
  p[2] = 1 / three;
  q[1] = 1e10f * half;
}
