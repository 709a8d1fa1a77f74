// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: touch -d 2020-01-01 transpose.cu tile.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=OLD --input-file=a.o %s
//
// A source of the size and the time of another is another, as cp -p, rsync -t, tar and
// a checkout with fixed times make it; one that was only touched is the same.
//
// RUN: sed -i 's/threadIdx.y \* n/threadIdx.y * 2/' transpose.cu && touch -d 2020-01-01 transpose.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=NEW --input-file=a.o %s
// RUN: cp -p transpose.cu b.cu && sed -i 's/threadIdx.y \* 2/threadIdx.y * 4/' b.cu && touch -d 2020-01-01 b.cu && mv b.cu transpose.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=NEWER --input-file=a.o %s
// RUN: touch transpose.cu tile.h
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c transpose.cu -o a.o && FileCheck --check-prefix=NEWER --input-file=a.o %s
//
// OLD: in[threadIdx.y * n + threadIdx.x]
// NEW: in[threadIdx.y * 2 + threadIdx.x]
// NEWER: in[threadIdx.y * 4 + threadIdx.x]

// What the environment and files of options say.
//
// RUN: mkdir one two && echo '#define SIDE 32' > one/side.h && echo '#define SIDE 33' > two/side.h && echo '-DSIDE=32' > flags
// RUN: sed "/^\/\//d" %s > side.cu
// RUN: env CPATH=one env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c side.cu -o s.o && FileCheck --check-prefix=EVEN --input-file=s.o %s
// RUN: env CPATH=two env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c side.cu -o s.o && FileCheck --check-prefix=ODD --input-file=s.o %s
// RUN: env CPLUS_INCLUDE_PATH=one env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c side.cu -o s.o && FileCheck --check-prefix=EVEN --input-file=s.o %s
// RUN: env CPLUS_INCLUDE_PATH=two env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c side.cu -o s.o && FileCheck --check-prefix=ODD --input-file=s.o %s
// RUN: env NVCC_APPEND_FLAGS=-DSIDE=32 env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c side.cu -o s.o && FileCheck --check-prefix=EVEN --input-file=s.o %s
// RUN: env NVCC_APPEND_FLAGS=-DSIDE=33 env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -c side.cu -o s.o && FileCheck --check-prefix=ODD --input-file=s.o %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags --options-file flags -c side.cu -o s.o && FileCheck --check-prefix=EVEN --input-file=s.o %s
// RUN: echo '-DSIDE=33' > flags
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags --options-file flags -c side.cu -o s.o && FileCheck --check-prefix=ODD --input-file=s.o %s
//
// EVEN: t[SIDE][SIDE + 1]
// ODD: t[SIDE][SIDE];

// A program that depends on the time is not remembered.
//
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -DSIDE=32 '-DNOW=__TIME__' -c side.cu -o s.o 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -DSIDE=32 '-DNOW=__TIME__' -c side.cu -o s.o 2>&1 | FileCheck --check-prefix=MISS %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -DSIDE=32 -DNOW=0 -c side.cu -o s.o 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -DSIDE=32 -DNOW=0 -c side.cu -o s.o 2>&1 | FileCheck --check-prefix=SAID %s
//
// SAID: side.cu: 1 kernel, 1 array rewritten
// MISS: no temporary file
#include "cuda.h"
#ifndef SIDE
#include <side.h>
#endif
#ifdef NOW
auto Now = NOW;
#endif
__global__ void k(float *o, const float *i) {
  __shared__ float t[SIDE][SIDE];
  t[threadIdx.y][threadIdx.x] = i[threadIdx.y * 40 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 40 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
void launch(float *o, float *i) { k<<<1, dim3(32, 32)>>>(o, i); }
