// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* char.cu -o char.out -- %cuda-flags -Xcompiler -funsigned-char 2>&1 | FileCheck --check-prefix=CHAR %s
// RUN: diff char.cu char.out
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* file.cu -o file.out -- %cuda-flags -Xcompiler @opt.txt 2>&1 | FileCheck --check-prefix=FILE %s
// RUN: diff file.cu file.out
// RUN: %cuda-opt --passes=shared-reuse file.cu -o plain.out -- %cuda-flags -Xcompiler -Wall,-O2
// RUN: FileCheck --check-prefix=PLAIN --input-file=plain.out %s
// RUN: %cuda-opt --passes=shared-reuse file.cu -o order.out -- %cuda-flags -DTHREADS=128 -Xcompiler -UTHREADS,-DTHREADS=64
// RUN: FileCheck --check-prefix=ORDER --input-file=order.out %s
//
// By some options the host compiler has other types, or reads other text. Its
// macros come before those of nvcc.
//
// CHAR: the build may compile other text than what was parsed: the host compiler gets -funsigned-char
// FILE: the build may compile other text than what was parsed: the host compiler gets @opt.txt
// PLAIN: __shared__ float part[64];
// ORDER: __shared__ float part[128];

//--- opt.txt
-DTHREADS=128
//--- char.cu
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) {
  char c = (char)200;
  k<<<1, c < 0 ? 64 : 128>>>(o);
}

//--- file.cu
#ifndef THREADS
#define THREADS 64
#endif
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) { k<<<1, THREADS>>>(o); }
