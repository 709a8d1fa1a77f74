// RUN: %cuda-opt --passes=shared-reuse --reuse=poison --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=shared-reuse --reuse=poison --verify=machine %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s
//
// --reuse=poison overwrites what is dead at a barrier, and the machine finds that no
// result changes: a live range that ended too early would show. Nothing is poisoned
// while it is carried round a loop.
#include "cuda.h"

// PLAN-LABEL: plan phases
// PLAN-NEXT: poison third at line [[#FIRST:]]
// PLAN-NEXT: poison first at line [[#FIRST + 2]]
// PLAN-NEXT: poison third at line [[#FIRST + 2]]
// PLAN-NEXT: poison first at line [[#FIRST + 4]]
// PLAN-NEXT: poison first at line [[#FIRST + 7]]
// PLAN-NEXT: poison second at line [[#FIRST + 7]]
// PLAN-NOT: poison
// CHECK-LABEL: void phases(
// CHECK: __syncthreads(); for (unsigned poisoned = {{.*}} poisoned < sizeof(first); {{.*}} ((unsigned char *)&first)[poisoned] = 0xff; __syncthreads();
__global__ void phases(float *out, const float *in, int n) {
  __shared__ float first[64];
  __shared__ float second[64];
  __shared__ float third[64];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  second[t] = first[63 - t];
  __syncthreads();
  second[t ^ 1] += n;
  __syncthreads();
  for (int i = 0; i < n; i++)
    third[t] = second[63 - t];
  __syncthreads();
  out[t] = third[t ^ 2];
}

void launch(float *out, const float *in, int n) { phases<<<1, 64>>>(out, in, n); }
