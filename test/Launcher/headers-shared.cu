// RUN: rm -rf %t && split-file %s %t && cd %t && cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %cuda-opt ./nvcc %parse-flags -c inline.cu -o a.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: %cuda-opt ./nvcc %parse-flags -rdc=true -c template.cu -o a.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: %cuda-opt ./nvcc %parse-flags -static-global-template-stub=false -c template.cu -o a.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: %cuda-opt ./nvcc %parse-flags -c static.cu -o a.o 2>&1 | FileCheck --check-prefix=CHANGED %s
// RUN: %cuda-opt -i static.cu -- %parse-flags && not grep "32 + 1" kernels.h
//
// The linker makes one of the inline kernels, and before CUDA 13 of the templates,
// that several files compile: a launch in another file may run this one's text, so
// that nothing may rest on the launches here. So it is, too, when a header changes in
// place.
//
// KEPT: {{^}}nvcc {{.*}}-c {{[a-z]*}}.cu -o a.o
// CHANGED: 1 array rewritten

// RUN: %cuda-opt ./nvcc %parse-flags -c any.cu -o a.o 2>&1 | FileCheck --check-prefix=CHANGED %s
//
// What is true of all launches is enough.

//--- kernels.h
KIND __global__ void included(float *x) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}

//--- inline.cu
#include "cuda.h"
#define KIND inline
#include "kernels.h"
void launch(float *x) { included<<<1, dim3(32, 32)>>>(x); }

//--- static.cu
#include "cuda.h"
#define KIND static
#include "kernels.h"
void launch(float *x) { included<<<1, dim3(32, 32)>>>(x); }

//--- template.cu
#include "cuda.h"
#define KIND template <int N>
#include "kernels.h"
void launch(float *x) { included<1><<<1, dim3(32, 32)>>>(x); }

//--- any.h
inline __global__ void included(float *x) {
  __shared__ float tile[32][32];
  const int i = threadIdx.x & 31, j = threadIdx.y & 31;
  tile[j][i] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.y] = tile[i][j];
}

//--- any.cu
#include "cuda.h"
#include "any.h"
void launch(float *x) { included<<<1, dim3(32, 32)>>>(x); }
