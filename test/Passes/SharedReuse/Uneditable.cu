// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --verify=machine %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s
//
// A declaration whose text cannot be taken apart keeps that array alone out, if two
// others are left; its bytes count.
#include "cuda.h"

#define DECLARE(NAME) __shared__ float NAME[64]

// PLAN: storage (first | third): bytes 768 -> 512
// CHECK-LABEL: void oneOfThree(
// CHECK: } reused;
// CHECK: DECLARE(second);
__global__ void oneOfThree(float *out, const float *in) {
  __shared__ float first[64];
  DECLARE(second);
  __shared__ float third[64];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  second[t] = first[63 - t];
  __syncthreads();
  third[t] = second[t ^ 1];
  __syncthreads();
  out[t] = third[t ^ 2];
}

// PLAN-LABEL: plan oneOfTwo
// PLAN: keep storage: its text cannot be edited
// CHECK-LABEL: void oneOfTwo(
// CHECK-NEXT: DECLARE(first);
__global__ void oneOfTwo(float *out, const float *in) {
  DECLARE(first);
  __shared__ float second[64];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  float x = first[63 - t];
  __syncthreads();
  second[t] = x;
  __syncthreads();
  out[t] = second[t ^ 1];
}

void launch(float *out, const float *in) {
  oneOfThree<<<1, 64>>>(out, in);
  oneOfTwo<<<1, 64>>>(out, in);
}
