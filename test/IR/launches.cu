// RUN: %cuda-opt --print=ir %s -- %cuda-flags -std=c++17 | FileCheck %s
//
// A launch begins with the grid, the block, and the bytes of dynamic memory that
// it asks for.

#include "cuda.h"

__global__ void k(int *p, int n);
void mayThrow();

// CHECK-LABEL: function inLoop
// CHECK: opaque launch(4, 1, 1, 32, 2, 1, 128, %k, @*p, %{{.*}}) @*p ; 18:5
// CHECK: opaque launch(u32(%n), 1, 1, 64, 1, 1, 0, %k,
void inLoop(int *p, int n) {
  dim3 block(32);
  block.y = 2;
  for (int i = 0; i < n; ++i) {
    k<<<4, block, 32 * sizeof(int)>>>(p, i);
    k<<<n, 64>>>(p, i);
  }
}

// C++ leaves open whether n is read before it is doubled.
static int twice(int &n) { return n *= 2; }
// CHECK-LABEL: function inAnyOrder
// CHECK: opaque launch(undefined, undefined, undefined, undefined, undefined, undefined, 0, %k,
void inAnyOrder(int *p) {
  for (int n = 32; n < 1000;)
    k<<<twice(n), n>>>(p, n);
}

// The handler has a way from the beginning of the block, where nothing is known
// of what the block may have changed.
// CHECK-LABEL: function caught
// CHECK: branch undefined, [[HANDLER:B[0-9]+]], [[BODY:B[0-9]+]]
// CHECK: [[HANDLER]]:
// CHECK-NEXT: %[[X:[0-9]+]] = opaque exception()
// CHECK: opaque launch(5, 1, 1, u32(%[[X]]), 1, 1, 0, %k,
// CHECK: [[BODY]]:
// CHECK-NEXT: opaque mayThrow()
void caught(int *p, int n) {
  int changed = 1, same = 5;
  for (int i = 0; i < n; ++i)
    try {
      changed = 2;
      mayThrow();
    } catch (...) {
      k<<<same, changed>>>(p, i);
    }
}
