// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// Bit-fields that are next to each other are one location of memory, and
// `__bf16` is no half.

#include "cuda.h"

struct Fields {
  unsigned a : 3, b : 5;
  int c : 4;
  int : 0;
  bool d : 1;
  char e;
};

// CHECK-LABEL: kernel read
// CHECK: %1 = load u16 [@*f]
// CHECK: store s32 [@*o], s32(u32((%1 << 13) >> 13))
// CHECK: %2 = load u16 [@*f]
// CHECK: store s32 [@*o + 4], s32(s16(%2 << 4) >> 12)
// CHECK: %3 = load u8 [@*f + 4]
__global__ void read(int *o, Fields *f) {
  o[0] = f->a;
  o[1] = f->c;
  o[2] = f->d;
}

// What else is in the location stays.
// CHECK-LABEL: kernel written
// CHECK: %1 = load u16 [@*f]
// CHECK: store u16 [@*f], (%1 & 65287) | ((u16(%n) << 3) & 248)
__global__ void written(Fields *f, unsigned n) { f->b = n; }

// The value of an assignment is what the field holds then.
// CHECK-LABEL: kernel cut
// CHECK: store s32 [@*o], 1
__global__ void cut(int *o) {
  Fields f = {1, 2, -3, true, 'x'};
  *o = f.a = 9;
}

// CHECK-LABEL: kernel counted
// CHECK: store s32 [@*o], 0
// CHECK: store s32 [@*o + 4], 2
// CHECK: store s32 [@*o + 8], -3
__global__ void counted(int *o) {
  Fields f = {7, 2, -3, true, 'x'};
  ++f.a;
  o[0] = f.a;
  o[1] = f.b;
  o[2] = f.c;
}

struct Wide {
  unsigned long long a : 40, b : 40;
  unsigned c : 1;
};
// Locations of more than 64 bits are not followed.
// CHECK-LABEL: kernel wide
// CHECK: opaque bit-field(@*f + {{[0-9]+}}) @*f
// CHECK: store u32 [@*o], undefined
__global__ void wide(unsigned *o, Wide *f) { *o = f->c; }

// CHECK-LABEL: kernel brains
// CHECK: load bf16
// CHECK: load f16
__global__ void brains(__bf16 *p, _Float16 *q) {
  p[0] = p[1];
  q[0] = q[1];
}
