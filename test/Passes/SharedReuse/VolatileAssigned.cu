// RUN: %cuda-opt %s -Rpass-analysis=.* -o %t -- %cuda-flags 2>&1 | FileCheck %s
// RUN: cmp %s %t
//
// The value of an assignment to what is volatile is read back.

#include "cuda.h"

// CHECK-NOT: never read
// CHECK: remark: load of 'line[threadIdx.x]'
// CHECK-NOT: never read
__global__ void chained(float *out, const float *in) {
  __shared__ volatile float line[64];
  out[threadIdx.x] = line[threadIdx.x] = in[threadIdx.x];
}
