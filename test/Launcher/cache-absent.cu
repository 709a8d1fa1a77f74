// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: mkdir first second option && echo '#define SIDE 32' > second/side.h
// RUN: sed "/^\/\//d" %s > a.cu && touch -d 2020-01-01 a.cu second/side.h
//
// What was not there counts, too: a header that comes into being before the one that
// was found, or that __has_include then finds, is read.
//
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ifirst -Isecond -Ioption -c a.cu -o a.o && FileCheck --check-prefix=OLD --input-file=a.o %s
// RUN: echo '#define SIDE 33' > first/side.h && touch -d 2020-01-01 first/side.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ifirst -Isecond -Ioption -c a.cu -o a.o && FileCheck --check-prefix=ODD --input-file=a.o %s
// RUN: rm first/side.h
// RUN: env TMPDIR=%t/none env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ifirst -Isecond -Ioption -c a.cu -o a.o 2> miss.txt && FileCheck --check-prefix=MISS --input-file=miss.txt %s
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ifirst -Isecond -Ioption -c a.cu -o a.o && FileCheck --check-prefix=OLD --input-file=a.o %s
// RUN: echo '#define MORE 1' > option/option.h && touch -d 2020-01-01 option/option.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ifirst -Isecond -Ioption -c a.cu -o a.o && FileCheck --check-prefix=ODD --input-file=a.o %s
// RUN: rm option/option.h
//
// A folder on the way may be another one: a link that leads elsewhere, a folder that
// was not there.
//
// RUN: mkdir third && echo '#define SIDE 35' > third/side.h && touch -d 2020-01-01 third/side.h && ln -s first link
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ilink -Isecond -Iabsent -c a.cu -o b.o && FileCheck --check-prefix=OLD --input-file=b.o %s
// RUN: ln -sfn third link
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ilink -Isecond -Iabsent -c a.cu -o b.o && FileCheck --check-prefix=ODD --input-file=b.o %s
// RUN: ln -sfn first link
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ilink -Isecond -Iabsent -c a.cu -o b.o && FileCheck --check-prefix=OLD --input-file=b.o %s
// RUN: mkdir absent && echo '#define MORE 1' > absent/option.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Ilink -Isecond -Iabsent -c a.cu -o b.o && FileCheck --check-prefix=ODD --input-file=b.o %s
//
// Two names of one file, which is read once, become two files of one text.
//
// RUN: mkdir once && printf '#pragma once\n#ifdef ONE\n#define MORE 1\n#endif\n#define ONE\n' > once/option.h && ln once/option.h once/again.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Isecond -Ionce -DAGAIN -c a.cu -o c.o && FileCheck --check-prefix=OLD --input-file=c.o %s
// RUN: rm once/again.h && cp -p once/option.h once/again.h
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt ./nvcc %parse-flags -Isecond -Ionce -DAGAIN -c a.cu -o c.o && FileCheck --check-prefix=ODD --input-file=c.o %s
//
// OLD: t[SIDE + MORE][SIDE + MORE + 1]
// ODD-NOT: t[SIDE + MORE][SIDE + MORE + 1]
// ODD: t[SIDE + MORE][SIDE + MORE]
// MISS: no temporary file
#include "cuda.h"
#include <side.h>
#if __has_include("option.h")
#include "option.h"
#endif
#ifdef AGAIN
#include "again.h"
#endif
#ifndef MORE
#define MORE 0
#endif
__global__ void k(float *o, const float *i) {
  __shared__ float t[SIDE + MORE][SIDE + MORE];
  t[threadIdx.y][threadIdx.x] = i[threadIdx.y * 40 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 40 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
void launch(float *o, float *i) { k<<<1, dim3(32, 32)>>>(o, i); }
