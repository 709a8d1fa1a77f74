// RUN: %cuda-opt --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=shared-reuse %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --verify=machine %s -- %cuda-flags 2>&1 | grep -v '^ *//' | FileCheck %s --check-prefix=CHECK
//
// An array that is dead when another is first written shares its bytes, if a barrier
// lies between: no text but the declarations changes.
#include "cuda.h"
#define ROWS 64

// PLAN-LABEL: plan phases
// PLAN: storage (first | third): bytes 49152 -> 32768, bound 32768; blocks 4 -> 6; barriers added 0
// CHECK-LABEL: void phases(
__global__ void phases(float *out, const float *in) {
  // CHECK-NEXT: __shared__ union {
  // CHECK-NEXT:   float first[ROWS][64];
  // CHECK-NEXT:   float third[ROWS][64];
  // CHECK-NEXT: } reused;
  // CHECK-NEXT: auto &first = reused.first; // of the picture
  // CHECK-NEXT: __shared__ float second[ROWS][64];
  // CHECK-NEXT: auto &third = reused.third;
  __shared__ float first[ROWS][64]; // of the picture
  __shared__ float second[ROWS][64];
  __shared__ float third[ROWS][64];
  int t = threadIdx.x;
  for (int r = 0; r < ROWS; r++)
    first[r][t] = in[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < ROWS; r++)
    second[r][t] = first[r][63 - t];
  __syncthreads();
  for (int r = 0; r < ROWS; r++)
    third[r][t] = second[ROWS - 1 - r][t ^ 1];
  __syncthreads();
  for (int r = 0; r < ROWS; r++)
    out[r * 64 + t] = third[r][t ^ 2];
}

void launch(float *out, const float *in) { phases<<<1, 64>>>(out, in); }
