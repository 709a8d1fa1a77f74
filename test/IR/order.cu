// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// The order of evaluation where C++ leaves it open, or has another one than
// clang's graph.

#include "cuda.h"

struct Point {
  float x, y;
  __device__ Point(float x, float y) : x(x), y(y) {}
  __device__ Point &operator=(const Point &o) {
    x = o.x;
    y = o.y;
    return *this;
  }
};
__device__ Point next(Point *&p) {
  ++p;
  return *p;
}

// The right side of `=` moves what the left side reads, and comes first.
// CHECK-LABEL: kernel assigned
// CHECK: opaque order of evaluation({{.*}}@p) {{.*}}@p
__global__ void assigned(Point *p) { *p = next(p); }

// Nothing is touched by both sides.
// CHECK-LABEL: kernel apart
// CHECK-NOT: opaque
// CHECK: store f32 [@*p], %
__global__ void apart(Point *p, Point *q) { *p = next(q); }

__device__ int join(int a, int b) { return a * 10 + b; }
// CHECK-LABEL: kernel moved
// CHECK: opaque order of evaluation({{.*}}@i) @i
__global__ void moved(int *o, int i) { *o = join(i++, i); }

// What no argument writes keeps its value.
// CHECK-LABEL: kernel kept
// CHECK: opaque order of evaluation({{.*}}, @i, @*o) @i @*o
// CHECK: store s32 [@*o + s64(%j) * 4], %
__global__ void kept(int *o, int i, int j) { o[j] = join(i++ + j, o[i] + j); }

// What functions touch is touched in another order, too.
// CHECK-LABEL: kernel called
// CHECK: opaque order of evaluation({{.*}}@tile{{.*}}) {{.*}}@tile
__shared__ int tile[32];
__device__ int put(int i) { return tile[i] = i; }
__device__ int take(int i) { return tile[31 - i]; }
__global__ void called(int *o, int i) { *o = put(i) + take(i); }

// Reads have no order.
// CHECK-LABEL: kernel reads
// CHECK: store s32 [@*o], (%1 * 10) + %2
__global__ void reads(int *o) { *o = join(o[0], o[1]); }

// Two atomics on one array have; lists are evaluated as they are written.
// CHECK-LABEL: kernel atomics
// CHECK: opaque order of evaluation(
__global__ void atomics(int *o) { *o = join(atomicAdd(o, 1), atomicAdd(o, 2)); }

// Operands of most operators have no order, either.
// CHECK-LABEL: kernel operands
// CHECK: opaque order of evaluation(
// CHECK-NOT: order of evaluation
// CHECK: leave
__global__ void operands(int *o) {
  o[0] = atomicAdd(o, 1) - atomicAdd(o, 2);
  o[1] = atomicAdd(o, 1) << atomicAdd(o, 2);
}

// What lanes exchange is no memory.
// CHECK-LABEL: kernel lanes
// CHECK-NOT: opaque
// CHECK: leave
__global__ void lanes(int *o) { *o = join(*o, __shfl_down_sync(~0u, 1, 1)); }

// CHECK-LABEL: kernel listed
// CHECK-NOT: opaque
// CHECK: leave
__global__ void listed(int *o) {
  Point p{static_cast<float>(atomicAdd(o, 1)),
          static_cast<float>(atomicAdd(o, 2))};
  o[1] = static_cast<int>(p.x - p.y);
}

// CHECK-LABEL: kernel elvis
// CHECK: %1 = load s32 [@*p]
// CHECK: phi s32 [B{{[0-9]}}: {{%1|7}}] [B{{[0-9]}}: {{%1|7}}]
__global__ void elvis(int *o, int *p) { *o = *p ?: 7; }

// A vector does not change with its source.
typedef float vector __attribute__((ext_vector_type(4)));
// CHECK-LABEL: kernel swapped
// CHECK: copy 16 bytes [@[[OLD:a[0-9.]*]]],
// CHECK: copy 16 bytes [@*p], @
// CHECK: copy 16 bytes [@*q], @
__global__ void swapped(vector *p, vector *q) {
  vector a = *p;
  *p = *q;
  *q = a;
}

// What an operand makes for itself is not touched by the other one.
struct Place {
  const int *p;
  __device__ Place(const int *p) : p(p) {}
  __device__ Place operator+(int n) const { return Place(p + n); }
};
__device__ int operator-(const Place &a, const Place &b) { return a.p - b.p; }
// CHECK-LABEL: kernel ownTemporaries
// CHECK-NOT: order of evaluation
// CHECK: store s32 [@*out]
__global__ void ownTemporaries(int *out, const int *p) {
  Place here = p;
  *out = *(here + 1).p + (here - Place(p));
}
// What it lets out may be found by the other one.
__device__ const Place *kept;
__device__ int keep(const Place &p) {
  kept = &p;
  return 1;
}
__device__ int find() { return *kept->p; }
// CHECK-LABEL: kernel letOut
// CHECK: opaque order of evaluation
__global__ void letOut(int *out, const int *p) {
  *out = keep(Place(p)) + find();
}
