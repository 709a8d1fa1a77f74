// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// Callees with barriers are a part of the steps; what a local leads to, its
// mentions use; where a barrier may be added, control is uniform.

#include "cuda.h"
#include "cuda/groups.cuh"

__device__ void step(float *To, const float *From, int N) {
  if (N == 0)
    return;
  To[threadIdx.x] = From[threadIdx.x ^ 1];
  __syncthreads();
}

// CHECK-LABEL: kernel kernel
// CHECK: shared Storage: 128 bytes aligned 4{{$}}
__global__ void kernel(float *In, float *Out, int N) {
  __shared__ float A[64], B[64];
  __shared__ cub::BlockScan::TempStorage Storage;
  const int T = threadIdx.x;
  A[T] = In[T];
  __syncthreads();
  // The arguments touch nothing; a return leads behind the call.
  // CHECK: step [[#FRONT:]] work line [[@LINE+9]] may follow barrier
  // CHECK-NEXT: step [[#FRONT+1]] work {{.*}} -> [[#FRONT+2]] [[#FRONT+4]]
  // CHECK-NEXT: step [[#FRONT+2]] work
  // CHECK-NEXT: reads A: may all exposed all
  // CHECK-NEXT: writes B: may all must all
  // CHECK-NEXT: barrier
  // An address alone is no use of what is there.
  // CHECK-NEXT: step [[#FRONT+4]] work line [[@LINE+4]] may
  // CHECK-NEXT: writes A: may all must none
  step(B, A, N);
  float *P = A + T;
  *P = 1;
  // CHECK: work line [[@LINE+2]] may
  // CHECK-NEXT: changes Storage: may all must none exposed all
  cub::BlockScan(Storage).Sum(In[T], Out[T]);
  for (int K = 0; K < N; ++K) {
    // CHECK: work line [[@LINE+1]] depth 1 weight 64.00 may follow barrier
    Out[K] = K;
    __syncthreads();
  }
  for (int K = 0; K < In[0]; ++K) {
    // CHECK: work line [[@LINE+1]] depth 1 weight 64.00 ->
    Out[K] = K;
    __syncthreads();
  }
  // Some threads may be ahead.
  for (int K = 0; K < N; ++K) {
    if (In[K] > 0)
      continue;
    // CHECK: work line [[@LINE+1]] depth 1 weight 64.00 ->
    Out[K] = K;
    __syncthreads();
  }
}

void host(float *A) { kernel<<<1, 64>>>(A, A, 3); }
