// REQUIRES: cuda
// No compiler warns of a mark, whatever it is asked to warn of.
// RUN: %runtime-nvcc -std=c++17 -c %s -o %t.o
// RUN: %runtime-nvcc -std=c++20 -c %s -o %t.o
// RUN: %runtime-clang -std=c++17 %s
// RUN: sed -n '/^#include/p' %s > %t.cpp
// RUN: echo 'CUDAOPT_OFF int f(int *a) { CUDAOPT_LEVELIZE(a[0:4]) for (int i = 0; i < 4; ++i) a[i] = i; return a[0]; }' >> %t.cpp
// RUN: g++ -std=c++17 -Wall -Wextra -Werror -I %include-runtime -fsyntax-only %t.cpp
// RUN: %host-cxx -std=c++17 -Wall -Wextra -Werror -I %include-runtime -fsyntax-only %t.cpp

#include "cudaopt/annotations.h"

// cuda-opt off
template <int N>
CUDAOPT_OFF __global__ void CUDAOPT_ASSUME_BLOCK(32, 8, 1) both(float *out) {
  CUDAOPT_KEEP __shared__ float a[N];
  CUDAOPT_KEEP CUDAOPT_LAYOUT(keep) __shared__ float b[N];
  a[threadIdx.x] = b[threadIdx.x] = 0; // cuda-opt: ignore
  out[0] = a[0] + b[0];
}
// cuda-opt on
template __global__ void both<8>(float *);
CUDAOPT_OFF extern "C++" int host(int *a);
