// RUN: rm -rf %t && split-file %s %t && cd %t && cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: sed -e 's|DIR|%/t|g' -e 's|FLAGS|%parse-flags|g' database.in > compile_commands.json
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %python %S/../Inputs/many-at-once.py 8 %cuda-opt --whole-program -p %/t ./nvcc %parse-flags -c a.cu -o > log 2>&1
// RUN: not grep warning log
// RUN: cat many-0.o many-1.o many-2.o many-3.o many-4.o many-5.o many-6.o many-7.o | grep 's\[256\]' | count 8
//
// Compilations that run at the same time read the program together: what one of them
// reads, the others wait for. An entry of the cache for each command, one for all of them,
// and eight results.
//
// RUN: ls cache | grep llvmcache- | count 12
//
// A header that was written anew and holds the same text changes nothing, beside another
// file that changes.
//
// RUN: cp common.h new && mv new common.h && echo '//' >> b.cu
// RUN: env CUDAOPT_CACHE_DIR=%t/cache %cuda-opt --whole-program -p %/t ./nvcc %parse-flags -c a.cu -o many-0.o 2> log
// RUN: not grep warning log
// RUN: grep 's\[256\]' many-0.o
//
// Without a cache each reads all files itself.
//
// RUN: env CUDAOPT_CACHE_DIR= %cuda-opt --whole-program -p %/t ./nvcc %parse-flags -c a.cu -o a.o
// RUN: grep 's\[256\]' a.o

//--- database.in
[{"directory": "DIR", "file": "a.cu", "command": "nvcc FLAGS -c a.cu"},
 {"directory": "DIR", "file": "b.cu", "command": "nvcc FLAGS -c b.cu"},
 {"directory": "DIR", "file": "b.cu", "command": "nvcc FLAGS -c b.cu -o again.o -DAGAIN"}]

//--- common.h
#include "cuda.h"

//--- b.cu
#include "common.h"
#ifdef AGAIN
constexpr int Size = 256;
#else
constexpr int Size = 64;
#endif
__global__ void k(float *, const float *);
void other(float *out, const float *in) { k<<<1, Size>>>(out, in); }

//--- a.cu
#include "common.h"
__global__ void k(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
void launch(float *out, const float *in) { k<<<1, 128>>>(out, in); }
