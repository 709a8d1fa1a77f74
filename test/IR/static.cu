// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// Variables of a host function that last: they are initialised the first time.

#include "cuda.h"

int random();

// CHECK-LABEL: function kept
// CHECK: %1 = load bool [@guard of n]
// CHECK: branch %1, [[BEHIND:B[0-9]+]], [[FIRST:B[0-9]+]]
// CHECK: [[FIRST]]:
// CHECK-NEXT: opaque random()
// CHECK: store s32 [@n], %
// CHECK: store bool [@guard of n], true
void kept(int *p) {
  static int n = random();
  for (int i = 0; i < 4; ++i)
    p[i] = n;
}

// What is known at compile time needs no guard.
// CHECK-LABEL: function known
// CHECK-NOT: guard
// CHECK: load s32 [@n]
// CHECK-NOT: store s32 [@n], 5
void known(int *p) {
  static int n = 5;
  for (int i = 0; i < 4; ++i)
    p[i] = n;
}
