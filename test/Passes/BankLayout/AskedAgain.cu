// RUN: %cuda-opt --passes=bank-layout --layout=pad %s -o %t.pad.cu -- %cuda-flags
// RUN: FileCheck %s --input-file=%t.pad.cu
// RUN: %cuda-opt --check --passes=bank-layout --layout=pad %t.pad.cu -- %cuda-flags
// RUN: %cuda-opt --passes=bank-layout --layout=xor %s -o %t.xor.cu -- %cuda-flags
// RUN: %cuda-opt --check --passes=bank-layout --layout=xor %t.xor.cu -- %cuda-flags
// RUN: %cuda-opt --passes=bank-layout --layout=linear %s -o %t.linear.cu -- %cuda-flags
// RUN: %cuda-opt --check --passes=bank-layout --layout=linear %t.linear.cu -- %cuda-flags
// RUN: %cuda-opt --check --passes=bank-layout --layout=pad -Rpass-missed=.* %t.pad.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=AGAIN
//
// A layout that is asked for comes once: where the shape of the block is not
// known and no row length reaches the bound, a second run changes nothing.
//
// AGAIN: shared array 'tile' keeps its layout: no layout of the kind asked for suits it: 'pad'
#include "cuda.h"

// CHECK: __shared__ float tile[32][32 + {{[0-9]+}}];
__global__ void guarded(float *Out, const float *In) {
  __shared__ float tile[32][32];
  if (threadIdx.x < 32 && threadIdx.y < 32) {
    tile[threadIdx.y][threadIdx.x] = In[threadIdx.x];
    __syncthreads();
    Out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  }
}
