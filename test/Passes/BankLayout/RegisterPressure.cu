// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
//
// A thread that keeps its results in a private array has few registers left: the
// instructions of a layout may cost a resident block, which nothing makes up for. So
// the array stays, unless the author says how many blocks are to be resident.

#include "cuda.h"

// CHECK-LABEL: plan many
// CHECK-NEXT: keep Line: the instructions that the better layout adds may cost a resident block: each thread keeps arrays of 256 bytes in registers
__global__ void many(float *Out, const float *In) {
  __shared__ float Line[8][256];
  float Sum[64] = {};
  int T = threadIdx.x;
  for (int I = T; I < 2048; I += 256)
    Line[I / 256][I % 256] = In[I];
  for (int Step = 0; Step < 100; ++Step) {
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 8; ++I)
#pragma unroll
      for (int K = 0; K < 8; ++K)
        Sum[(8 * I + K) % 64] += Line[I][8 * (T % 32) + K];
  }
#pragma unroll
  for (int I = 0; I < 64; ++I)
    Out[256 * I + T] = Sum[I];
}

// CHECK-LABEL: plan bounded
// CHECK-NEXT: layout Line [8][256] ->
__global__ void __launch_bounds__(256, 2) bounded(float *Out, const float *In) {
  __shared__ float Line[8][256];
  float Sum[64] = {};
  int T = threadIdx.x;
  for (int I = T; I < 2048; I += 256)
    Line[I / 256][I % 256] = In[I];
  for (int Step = 0; Step < 100; ++Step) {
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 8; ++I)
#pragma unroll
      for (int K = 0; K < 8; ++K)
        Sum[(8 * I + K) % 64] += Line[I][8 * (T % 32) + K];
  }
#pragma unroll
  for (int I = 0; I < 64; ++I)
    Out[256 * I + T] = Sum[I];
}

// The number of threads alone says nothing about blocks.
// CHECK-LABEL: plan threadsOnly
// CHECK-NEXT: keep Line: {{.*}} arrays of 256 bytes in registers
__global__ void __launch_bounds__(256) threadsOnly(float *Out, const float *In) {
  __shared__ float Line[8][256];
  float Sum[64] = {};
  int T = threadIdx.x;
  for (int I = T; I < 2048; I += 256)
    Line[I / 256][I % 256] = In[I];
  for (int Step = 0; Step < 100; ++Step) {
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 8; ++I)
#pragma unroll
      for (int K = 0; K < 8; ++K)
        Sum[(8 * I + K) % 64] += Line[I][8 * (T % 32) + K];
  }
#pragma unroll
  for (int I = 0; I < 64; ++I)
    Out[256 * I + T] = Sum[I];
}

// CHECK-LABEL: plan few
// CHECK-NEXT: layout Line [8][256] ->
__global__ void few(float *Out, const float *In) {
  __shared__ float Line[8][256];
  float Sum[8] = {};
  int T = threadIdx.x;
  for (int I = T; I < 2048; I += 256)
    Line[I / 256][I % 256] = In[I];
  for (int Step = 0; Step < 100; ++Step) {
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 8; ++I)
#pragma unroll
      for (int K = 0; K < 8; ++K)
        Sum[(8 * I + K) % 8] += Line[I][8 * (T % 32) + K];
  }
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Out[256 * I + T] = Sum[I];
}

void launch(float *Out, const float *In) {
  many<<<1, 256>>>(Out, In);
  bounded<<<1, 256>>>(Out, In);
  threadsOnly<<<1, 256>>>(Out, In);
  few<<<1, 256>>>(Out, In);
}
