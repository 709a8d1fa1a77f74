// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// A barrier's condition depends on the assignments that may reach it, and not on
// what the same variable was before a later one.

#include "cuda.h"

// CHECK-LABEL: kernel nextLoop
// CHECK-NOT: refused
// CHECK: step 0 entry
__global__ void nextLoop(float *Out, int N) {
  __shared__ float A[32];
  int I;
  for (I = threadIdx.x; I < N; I += 32)
    A[I % 32] = I;
  for (I = 1; I < 32; I *= 2)
    __syncthreads();
  for (I = threadIdx.x; I < N; I += 32)
    Out[I] = A[I % 32];
}

// CHECK-LABEL: kernel nextStatement
// CHECK-NOT: refused
// CHECK: step 0 entry
__global__ void nextStatement(float *Out, int N) {
  __shared__ float A[32];
  int Least;
  do {
    Least = threadIdx.x;
    A[Least] = N;
    __syncthreads();
    Least = A[0];
  } while (Least);
}

// CHECK-LABEL: kernel behindLoop
// CHECK: steps refused (divergent-barrier)
__global__ void behindLoop(float *Out, int N) {
  __shared__ float A[32];
  int I;
  for (I = 0; I < 8; ++I)
    if (A[I] < threadIdx.x)
      I = threadIdx.x;
  if (I < 4)
    __syncthreads();
}

// CHECK-LABEL: kernel aroundAssignment
// CHECK: steps refused (divergent-barrier)
__global__ void aroundAssignment(float *Out, int N) {
  __shared__ float A[32];
  int I = threadIdx.x;
  if (N)
    I = 0;
  if (I)
    __syncthreads();
}

// CHECK-LABEL: kernel inNextIteration
// CHECK: steps refused (divergent-barrier)
__global__ void inNextIteration(float *Out, int N) {
  __shared__ float A[32];
  int I;
  for (I = 0; I < N; ++I) {
    __syncthreads();
    I += threadIdx.x;
  }
}

// CHECK-LABEL: kernel overLabel
// CHECK: steps refused (divergent-barrier)
__global__ void overLabel(float *Out, int N) {
  __shared__ float A[32];
  int I = threadIdx.x, J = 0;
  switch (N) {
  case 0:
    A[0] = 1;
    I = 1;
    A[1] = 1;
  default:
    J = I;
  }
  if (J)
    __syncthreads();
}

// CHECK-LABEL: kernel byContinue
// CHECK: steps refused (divergent-barrier)
__global__ void byContinue(float *Out, int N) {
  __shared__ float A[32];
  int I;
  do {
    __syncthreads();
    I = threadIdx.x;
    if (N)
      continue;
    I = 0;
  } while (I);
}
