// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags -DCOUNT=64 | FileCheck %s --check-prefix=KEEP
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags -DCOUNT=64 -DBLOCKS=2 | FileCheck %s --check-prefix=LAYOUT
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags -DCOUNT=64 -DBLOCKS=0 | FileCheck %s --check-prefix=KEEP
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags -DCOUNT=8 | FileCheck %s --check-prefix=LAYOUT
//
// A thread that keeps its results in a private array has few registers left: the
// instructions of a layout may cost a resident block, which nothing makes up for. So
// the array stays, unless the author says how many blocks are to be resident (the
// number of threads says nothing about that), or the array is small.

#include "cuda.h"

#ifndef BLOCKS
#define BOUNDS
#elif BLOCKS
#define BOUNDS __launch_bounds__(256, BLOCKS)
#else
#define BOUNDS __launch_bounds__(256)
#endif

// KEEP-LABEL: plan k
// KEEP-NEXT: keep Line: the instructions that the better layout adds may cost a resident block: each thread keeps arrays of 256 bytes in registers
// LAYOUT-LABEL: plan k
// LAYOUT-NEXT: layout Line [8][256] ->
__global__ void BOUNDS k(float *Out, const float *In) {
  __shared__ float Line[8][256];
  float Sum[COUNT] = {};
  int T = threadIdx.x;
  for (int I = T; I < 2048; I += 256)
    Line[I / 256][I % 256] = In[I];
  for (int Step = 0; Step < 100; ++Step) {
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 8; ++I)
#pragma unroll
      for (int K = 0; K < 8; ++K)
        Sum[(8 * I + K) % COUNT] += Line[I][8 * (T % 32) + K];
  }
#pragma unroll
  for (int I = 0; I < COUNT; ++I)
    Out[256 * I + T] = Sum[I];
}

void launch(float *Out, const float *In) { k<<<1, 256>>>(Out, In); }
