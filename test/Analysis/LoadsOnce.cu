// RUN: %cuda-opt --assume-closed-world --print=analysis %s -- %cuda-flags | FileCheck %s
//
// The compiler loads an element once in unrolled code, and in front of the loops
// that do not change it, unless something in between may store to it.

#include "cuda.h"

// Ten rows, three neighbours: 12 elements in place of 30.
// CHECK-LABEL: analysis stencil
// CHECK-NEXT: array S: 13 requests, {{.*}}; L32 12, S32 1
__global__ void stencil(float *Out, const float *In) {
  __shared__ float S[12][32];
  int T = threadIdx.x;
  S[T % 12][T] = In[T];
  __syncthreads();
  float Sum = 0;
#pragma unroll
  for (int Row = 0; Row < 10; ++Row)
#pragma unroll
    for (int K = 0; K < 3; ++K)
      Sum += S[Row + K][T];
  Out[T] = Sum;
}

// CHECK-LABEL: analysis hoisted
// CHECK-NEXT: array S: 2 requests, {{.*}}; L32 1, S32 1
__global__ void hoisted(float *Out, const float *In, int N) {
  __shared__ float S[32];
  int T = threadIdx.x;
  S[T] = In[T];
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < 1000; ++I)
    Sum += S[T] * In[I];
  Out[T] = Sum;
}

// No pointer can point to S.
// CHECK-LABEL: analysis stored
// CHECK-NEXT: array S: 2 requests, {{.*}}; L32 1, S32 1
__global__ void stored(float *Out, const float *In) {
  __shared__ float S[32];
  int T = threadIdx.x;
  S[T] = In[T];
  __syncthreads();
  for (int I = 0; I < 1000; ++I)
    Out[I * 32 + T] = S[T] * In[I];
}

// 52 doubles are more than there are registers for.
// CHECK-LABEL: analysis many
// CHECK-NEXT: array S: 312 requests, {{.*}}; L128 260, S64 52
__global__ void many(double *Out, const double *In) {
  __shared__ double S[52][52];
  int T = threadIdx.x;
  for (int I = 0; I < 52; ++I)
    S[I][T] = In[I * 52 + T];
  __syncthreads();
  for (int Column = 0; Column < 10; ++Column) {
    double Sum = 0;
    for (int K = 0; K < 52; ++K)
      Sum += S[T][K] * In[K * 52 + Column];
    Out[T * 52 + Column] = Sum;
  }
}

// Another thread may write.
// CHECK-LABEL: analysis waits
// CHECK-NEXT: array S: 11 requests, {{.*}}; L32 10, S32 1
__global__ void waits(float *Out, const float *In) {
  __shared__ float S[32];
  int T = threadIdx.x;
  S[T] = In[T];
  float Sum = 0;
  for (int I = 0; I < 10; ++I) {
    __syncthreads();
    Sum += S[T] * In[I];
  }
  Out[T] = Sum;
}

// CHECK-LABEL: analysis isVolatile
// CHECK-NEXT: array S: 11 requests, {{.*}}; L32 10, S32 1
__global__ void isVolatile(float *Out, const float *In) {
  volatile __shared__ float S[32];
  int T = threadIdx.x;
  S[T] = In[T];
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < 10; ++I)
    Sum += S[T] * In[I];
  Out[T] = Sum;
}

// Elements of 2 bytes: stores and copies are merged to 8 bytes, a load that is
// widened to int is not.
// CHECK-LABEL: analysis narrow
// CHECK-NEXT: array Widened: 10 requests, {{.*}}; L16 8, S64 2
// CHECK-NEXT: array Copied: 4 requests, {{.*}}; L64 2, S64 2
// CHECK-NEXT: array Converted: 4 requests, {{.*}}; L64 2, S64 2
__global__ void narrow(short *Out, const short *In) {
  __shared__ short Widened[256], Copied[256], Converted[256];
  int T = threadIdx.x;
  for (int K = 0; K < 8; ++K)
    Widened[T * 8 + K] = In[K];
  for (int K = 0; K < 8; ++K)
    Copied[T * 8 + K] = In[K];
  for (int K = 0; K < 8; ++K)
    Converted[T * 8 + K] = In[K];
  __syncthreads();
  int Sum = 0;
  for (int K = 0; K < 8; ++K)
    Sum += Widened[T * 8 + K];
  float Product = 1;
  for (int K = 0; K < 8; ++K)
    Product *= Converted[T * 8 + K];
  for (int K = 0; K < 8; ++K)
    Out[K * 32 + T] = Copied[T * 8 + K];
  Out[T] = Sum + Product;
}

void launch(float *Out, const float *In) {
  stencil<<<1, 32>>>(Out, In);
  hoisted<<<1, 32>>>(Out, In, 1);
  stored<<<1, 32>>>(Out, In);
  many<<<1, 32>>>((double *)Out, (const double *)In);
  waits<<<1, 32>>>(Out, In);
  isVolatile<<<1, 32>>>(Out, In);
  narrow<<<1, 32>>>((short *)Out, (const short *)In);
}
