// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* clang.cu -o clang.out -- %cuda-flags 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: diff clang.cu clang.out
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* gnuc.cu -o gnuc.out -- %cuda-flags 2>&1 | FileCheck --check-prefix=GNUC %s
// RUN: diff gnuc.cu gnuc.out
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* openmp.cu -o openmp.out -- %cuda-flags -Xcompiler -fopenmp 2>&1 | FileCheck --check-prefix=OPENMP %s
// RUN: diff openmp.cu openmp.out
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* indirect.cu -o indirect.out -- %cuda-flags -Xcompiler=-fopenmp 2>&1 | FileCheck --check-prefix=INDIRECT %s
// RUN: diff indirect.cu indirect.out
// RUN: %cuda-opt --passes=shared-reuse common.cu -o common.out -- %cuda-flags -D__FMA__=2 -isystem system
// RUN: FileCheck --check-prefix=COMMON --input-file=common.out %s
// RUN: %cuda-opt --passes=shared-reuse -Rpass-missed=.* device.cu -o device.out -- %cuda-flags -isystem system 2>&1 | FileCheck --check-prefix=DEVICE %s
// RUN: diff device.cu device.out
//
// RUN: %cuda-opt --passes=shared-reuse openmp.cu -o openmp.off.cu -- %cuda-flags
// RUN: FileCheck --check-prefix=COMMON --input-file=openmp.off.cu %s
// RUN: %cuda-opt --passes=shared-reuse openmp.cu -o openmp.popcnt.cu -- %cuda-flags -Xcompiler=-mpopcnt
// RUN: FileCheck --check-prefix=COMMON --input-file=openmp.popcnt.cu %s
//
// The text that a macro of the compiler chooses is another one in the build.
// Common macros, those of the user and those of system headers are no matter, but
// for system headers with device code.
//
// CLANG: the build may compile other text than what was parsed: it asks for '__clang__' (clang.cu:3)
// GNUC: the build may compile other text than what was parsed: it asks for '__GNUC__' (gnuc.cu:11)
// OPENMP: the build may compile other text than what was parsed: it asks for '_OPENMP' (openmp.cu:11)
// INDIRECT: the build may compile other text than what was parsed: it asks for '_OPENMP' (indirect.cu:1)
// DEVICE: the build may compile other text than what was parsed: it asks for '__clang__' (device.h:1)
// COMMON: __shared__ float part[64];

//--- clang.cu
#include "cuda.h"
__device__ int at(int t) {
#ifdef __clang__
  return t;
#else
  return t * 2;
#endif
}
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[at(threadIdx.x)] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[at(63 - threadIdx.x)] * 2;
}
void launch(float *o) { k<<<1, 64>>>(o); }

//--- gnuc.cu
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) {
  k<<<1, 64>>>(o);
// A comment.
#if 0 || __GNUC__ >= 7
  k<<<1, 128>>>(o);
#endif
}

//--- openmp.cu
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) {
  k<<<1, 64>>>(o);
// A comment.
#if _OPENMP
  k<<<1, 128>>>(o);
#endif
}

//--- indirect.cu
#define HAS_THREADS _OPENMP
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) {
  k<<<1, 64>>>(o);
#if HAS_THREADS
  k<<<1, 128>>>(o);
#endif
}

//--- system/other.h
#ifdef __clang__
static int other;
#endif
//--- common.cu
#include <other.h>
#define unix 1
#if __cplusplus < 201103 || __SIZEOF_INT__ != 4 || !unix
#error never
#endif
#if __FMA__ != 2 || __INT_MAX__ < 3
#error never
#endif
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) { k<<<1, 64>>>(o); }

//--- system/device.h
#ifdef __clang__
#define AT(I) I
#endif
__attribute__((device)) int at(int);
// Has __device__ code.
//--- device.cu
#include <device.h>
#include "cuda.h"
static __global__ void k(float *o) {
  __shared__ float part[8192];
  part[AT(threadIdx.x)] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x] * 2;
}
void launch(float *o) { k<<<1, 64>>>(o); }
