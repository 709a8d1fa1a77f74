// RUN: %cuda-opt --print=plan --layout=auto %s -- %cuda-flags | FileCheck %s --check-prefix=PAD
// RUN: %cuda-opt --print=plan --layout=pad %s -- %cuda-flags | FileCheck %s --check-prefix=PAD
// RUN: %cuda-opt --print=plan --layout=xor %s -- %cuda-flags | FileCheck %s --check-prefix=XOR
// RUN: %cuda-opt --print=plan --layout=linear %s -- %cuda-flags | FileCheck %s --check-prefix=LINEAR
// RUN: %cuda-opt --print=plan --layout=T %s -- %cuda-flags | FileCheck %s --check-prefix=TRANSFORM
// RUN: %cuda-opt --layout=keep %s -- %cuda-flags 2>/dev/null | diff %s -
// RUN: %exits 2 %cuda-opt --layout=blue %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %exits 2 %cuda-opt --layout= %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=EMPTY
//
// The user chooses the layouts that arrays may get.
//
// PAD: layout tile [32][32] -> [32][33]: wavefronts 1056 -> 64
// XOR: layout tile [32][32] -> [32][32] c ^ r: wavefronts 1056 -> 64
// LINEAR: layout tile [32][32] -> [32][32] c ^ {{.*}}: wavefronts 1056 -> 64
// TRANSFORM: layout tile [32][32] -> [{{[0-9]+}}] T = {{.*}}: wavefronts 1056 -> 64
// UNKNOWN: cuda-opt: error: unknown kind in --layout=blue (known: auto, pad, xor, linear, T, keep)
// EMPTY: cuda-opt: error: argument expected after '--layout='

#include "cuda.h"

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
