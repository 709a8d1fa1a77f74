// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --layout=pad --print=plan %s -- %cuda-flags | FileCheck %s
//
// The compiler merges accesses to an array that it knows to be aligned: an array
// in front of it does not grow by what would end that.

#include "cuda.h"

// CHECK-LABEL: plan inFront
// CHECK-NEXT: keep tile: 'even', which may be accessed several elements at a time, would lose its alignment
__global__ void inFront(float *Out, const float *In) {
  __shared__ float tile[31][32];
  __shared__ float even[32][36];
  int T = threadIdx.x;
  if (T < 31) {
    tile[T][0] = In[T];
    tile[T][1] = In[T];
  }
  for (int K = 0; K < 32; K++)
    even[K][T] = In[K * 32 + T];
  __syncthreads();
  float Sum = tile[0][T];
  for (int K = 0; K < 32; K++)
    Sum += even[T][K];
  Out[T] = Sum;
}

// Nothing lies behind it.
// CHECK-LABEL: plan behind
// CHECK-NEXT: keep even: no access conflicts
// CHECK-NEXT: layout tile [31][32] -> [31][33]
__global__ void behind(float *Out, const float *In) {
  __shared__ float even[32][36];
  __shared__ float tile[31][32];
  int T = threadIdx.x;
  if (T < 31) {
    tile[T][0] = In[T];
    tile[T][1] = In[T];
  }
  for (int K = 0; K < 32; K++)
    even[K][T] = In[K * 32 + T];
  __syncthreads();
  float Sum = tile[0][T];
  for (int K = 0; K < 32; K++)
    Sum += even[T][K];
  Out[T] = Sum;
}

void launch(float *Out, const float *In) {
  inFront<<<1, 32>>>(Out, In);
  behind<<<1, 32>>>(Out, In);
}
