// RUN: %cuda-opt --print=ir %s -- %cuda-flags -std=c++23 | FileCheck %s
//
// `if consteval` takes the way of the run time in all that runs.

#include "cuda.h"

__device__ constexpr int late(int a) {
  if consteval {
    return a;
  } else {
    return a + 1;
  }
}
__device__ constexpr int early(int a) {
  if !consteval {
    return a + 2;
  }
  return a;
}

// CHECK-LABEL: kernel evaluated
// CHECK: store s32 [@*o], %n + 1
// CHECK: store s32 [@*o + 4], %n + 2
// CHECK: store s32 [@*o + 8], 3
// CHECK-NEXT: leave
__global__ void evaluated(int *o, int n) {
  o[0] = late(n);
  o[1] = early(n);
  constexpr int known = late(3);
  o[2] = known;
  if consteval {
    o[3] = 1;
  }
}
