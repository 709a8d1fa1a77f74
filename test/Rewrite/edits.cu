// RUN: %cuda-opt --passes=bank-layout --print=edits %s -- %cuda-flags | FileCheck %s
//
// One text of a template gets one set of edits, whatever the number of its
// instances, and says which they are.

#include "cuda.h"

// A macro writes the access: only padding is left.
#define CELL(r, c) tile[r][c]

// CHECK: edits of {{.*}}edits.cu
// CHECK-NEXT: [[@LINE+3]]:{{[0-9]+}} replace "" by "\n static_assert(Rows == 16 || Rows == 32,
// CHECK-NEXT: [[@LINE+4]]:{{[0-9]+}} replace "" by " + 1"
// CHECK-NOT: replace
template <int Rows> __global__ void column(float *Out) {
  // The extents of both instances.
  __shared__ float tile[Rows][48];
  Out[threadIdx.x] = CELL(threadIdx.x % Rows, 0);
}
template <int Rows> void launch(float *Out) { column<Rows><<<1, 128>>>(Out); }
template void launch<16>(float *);
template void launch<32>(float *);
