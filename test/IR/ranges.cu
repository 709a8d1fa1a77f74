// RUN: %cuda-opt --print=ir %s -- %cuda-flags -std=c++20 | FileCheck %s
//
// Range-based loops: their initialiser is part of the function, once.

#include "cuda.h"

// CHECK-LABEL: kernel initialised
// CHECK: %1 = load s32 [@*o]
// CHECK: [[HEAD:B[0-9]+]]: loop ; [[@LINE+6]]:3
// CHECK-NEXT: %2 = phi ptr [B0: @s] [B2: %2 + 4]
// CHECK-NEXT: branch %2 != @s + 32, B2, B3
// CHECK: store s32 [%2], %1
__global__ void initialised(int *o) {
  __shared__ int s[8];
  for (int k = *o; int &x : s)
    x = k;
}
