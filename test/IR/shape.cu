// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck --match-full-lines --strict-whitespace %s
//
// The example of IR/Function.h.

#include "cuda.h"

//      CHECK:kernel reverse
// CHECK-NEXT:  @*in pointee
// CHECK-NEXT:  @*out pointee
// CHECK-NEXT:  @s shared 1024 bytes, align 4
// CHECK-NEXT:  B0:
// CHECK-NEXT:    branch s32(threadIdx.x) >= %n, B1, B2 ; [[@LINE+15]]:7 exact
// CHECK-NEXT:  B1:
// CHECK-NEXT:    leave ; [[@LINE+14]]:5 exact
// CHECK-NEXT:  B2:
// CHECK-NEXT:    %1 = load f32 [@*in + s64(s32(threadIdx.x)) * 4] ; [[@LINE+13]]:10 exact
// CHECK-NEXT:    store f32 [@s + s64(s32(threadIdx.x)) * 4], %1 ; [[@LINE+12]]:3 exact
// CHECK-NEXT:    barrier block __syncthreads() ; [[@LINE+12]]:3 exact
// CHECK-NEXT:    jump B3
// CHECK-NEXT:  B3:
// CHECK-NEXT:    %2 = load f32 [@s + s64(255 - s32(threadIdx.x)) * 4] ; [[@LINE+10]]:12 exact
// CHECK-NEXT:    store f32 [@*out + s64(s32(threadIdx.x)) * 4], %2 ; [[@LINE+9]]:3 exact
// CHECK-NEXT:    leave
__global__ void reverse(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[255 - t];
}
