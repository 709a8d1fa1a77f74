// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// What a step touches, what it surely writes, and what it reads of others.

#include "cuda.h"

// CHECK-LABEL: kernel sets
// CHECK: shared Flag
__global__ void sets(float *In, float *Out, int N) {
  __shared__ float A[64], B[128], C[64], D[64], Grid[4][16];
  __shared__ float4 V[64];
  __shared__ int Flag;
  const int T = threadIdx.x;
  // CHECK: writes A: may all must all
  A[T] = In[T];
  // Its own element is not another one's.
  // CHECK-NEXT: step {{[0-9]+}} work line [[@LINE+3]]
  // CHECK-NEXT: reads A: may all exposed none
  // CHECK-NEXT: writes A: may all must all
  A[T] += 1;
  // CHECK: reads A: may all exposed none
  // CHECK: reads A: may 0-62 exposed 0-62
  Out[T] = A[T] + (T ? A[T - 1] : 0);
  // All threads, each several times.
  // CHECK: writes B: may all must all
  for (int I = T; I < 128; I += blockDim.x)
    B[I] = 1;
  // CHECK: writes Grid: may 0-31 must 0-31
  if (T < 32)
    Grid[T / 16][T % 16] = 2;
  // Of data, or of an unknown condition: nothing is sure.
  // CHECK: writes Grid: may all must none
  Grid[0][(int)In[T]] = 2;
  // CHECK: writes A: may all must none
  if (In[T] > 0)
    A[T] = 3;
  // CHECK: writes A: may all must none
  if (T < N)
    A[T] = 3;
  // A part of an element; the rest is not its own.
  // CHECK: writes V: may all must none
  V[T].x = 1;
  // CHECK: reads V: may all exposed all
  Out[T] += V[T].y;
  // Only some threads wrote it.
  // CHECK: reads C: may all exposed all
  if (T < N)
    C[T] = 1;
  Out[T] += C[T];
  // The first iteration reads before it writes.
  // CHECK: reads D: may all exposed all
  for (int K = 0; K < 3; D[T] = K, ++K)
    Out[K] += D[T];
  // CHECK: writes Flag: may all must all
  Flag = 1;
  // CHECK: writes Flag: may all must none
  if (N > 3)
    Flag = 2;
  // CHECK: writes Flag: may all must none
  N > 4 && (Flag = 3);
  // A loop may have no iterations, or one that leaves early.
  // CHECK: writes Flag: may all must none
  for (int K = 0; K < N; ++K)
    Flag = 4;
  // CHECK: writes Flag: may all must none
  do {
    if (N > 5)
      break;
    Flag = 5;
  } while (N < 2);
  // CHECK: barrier
  __syncthreads();
  // Behind the barrier it may be.
  // CHECK: reads A: may all exposed all
  Out[T] += A[T];
  for (int K = 0; K < N; ++K) {
    // Whenever it is taken, all threads are here.
    // CHECK: depth 1
    // CHECK: writes B: may 0-63 must 0-63
    B[T] = K;
    __syncthreads();
    // CHECK: reads B: may 1-63 exposed 1-63
    Out[K] += T < 63 ? B[T + 1] : 0;
    __syncthreads();
  }
  for (int K = 0; K < 2; ++K) {
    // Half of it, each time the other one.
    // CHECK: depth 1 weight 2
    // CHECK: writes B: may all must none
    B[K * 64 + T] = K;
    __syncthreads();
  }
  if (T == N)
    return;
  // CHECK: writes A: may all must none
  A[T] = 2;
}

// The other operand may be evaluated first.
// CHECK-LABEL: kernel unordered
// CHECK: writes A: may all must all
// CHECK: reads A: may all exposed all
__global__ void unordered(float *Out) {
  __shared__ float A[64];
  Out[threadIdx.x] = (A[threadIdx.x] = 1) + A[threadIdx.x];
}

// Of an unknown shape no elements are known; what is its own, is.
// CHECK-LABEL: kernel unknown
// CHECK: shared A
__global__ void unknown(float *Out) {
  __shared__ float A[64];
  // CHECK: writes A: may all must none
  A[threadIdx.x] = 1;
  // CHECK: reads A: may all exposed none
  Out[0] = A[threadIdx.x];
}

void host(float *A) {
  sets<<<1, 64>>>(A, A, 3);
  unordered<<<1, 64>>>(A);
}
