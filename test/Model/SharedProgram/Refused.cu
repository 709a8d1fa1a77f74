// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// Barriers to which not all threads come, and calls that are not followed, refuse
// the kernel.

#include "cuda.h"
#include "cuda/groups.cuh"

// CHECK-LABEL: kernel divergent
// CHECK: steps refused (divergent-barrier)
__global__ void divergent(float *Out) {
  __shared__ float A[32];
  unsigned Mine = threadIdx.x + 1;
  if (Mine < 16)
    __syncthreads();
  Out[0] = A[0];
}

// CHECK-LABEL: kernel divergentLoop
// CHECK: steps refused (divergent-barrier)
__global__ void divergentLoop(float *Out, int N) {
  __shared__ float A[32];
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    __syncthreads();
  Out[0] = A[0];
}

// Some threads assign it, and a constant.
// CHECK-LABEL: kernel assignedByFew
// CHECK: steps refused (divergent-barrier)
__global__ void assignedByFew(float *Out) {
  __shared__ float A[32];
  int Mine = 0;
  if (threadIdx.x < 16)
    Mine = 1;
  if (Mine)
    __syncthreads();
  Out[0] = A[0];
}

// Some threads leave the loop before the others.
// CHECK-LABEL: kernel countedByFew
// CHECK: steps refused (divergent-barrier)
__global__ void countedByFew(float *Out) {
  __shared__ float A[32];
  int Mine = 0;
  for (int I = 0; I < 32; ++I) {
    if (I == threadIdx.x)
      break;
    ++Mine;
  }
  if (Mine < 16)
    __syncthreads();
  Out[0] = A[0];
}

// Compilers differ in which loop the break ends.
// CHECK-LABEL: kernel breaksInHead
// CHECK: steps refused (unstructured-control)
__global__ void breaksInHead(int N) {
  __shared__ float A[32];
  for (int I = 0; I < N; ++I) {
    A[0] = 1;
    __syncthreads();
    while (({ break; 0; }))
      A[1] = 2;
  }
}

// CHECK-LABEL: kernel recursive
// CHECK: steps refused (calls-itself)
__device__ void down(float *A, int N) {
  A[N] = N;
  if (N)
    down(A, N - 1);
}
__global__ void recursive(int N) {
  __shared__ float A[32];
  down(A, N);
}

__device__ void level9(float *A) { A[0] = 1; }
__device__ void level8(float *A) { level9(A); }
__device__ void level7(float *A) { level8(A); }
__device__ void level6(float *A) { level7(A); }
__device__ void level5(float *A) { level6(A); }
__device__ void level4(float *A) { level5(A); }
__device__ void level3(float *A) { level4(A); }
__device__ void level2(float *A) { level3(A); }
__device__ void level1(float *A) { level2(A); }
// Calls are followed as deeply as the IR follows them.
// CHECK-LABEL: kernel deep
// CHECK-NOT: steps refused
// CHECK: writes A: may 0 must 0
__global__ void deep() {
  __shared__ float A[32];
  level1(A);
}

// CHECK-LABEL: kernel fine
// CHECK-NOT: refused
// CHECK: step 0 entry
__global__ void fine(int N) {
  __shared__ float A[32];
  for (int I = 0; I < N; ++I) {
    A[threadIdx.x] = 1;
    __syncthreads();
  }
}
