// REQUIRES: cuda
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %cuda-opt --emit-clangd --cuda-path=%cuda-path -- -arch=sm_80 -DROWS=32 > .clangd
// RUN: FileCheck %s < .clangd
// RUN: sed -n "/Add:/,\$p" .clangd | sed -n "s/^ *- '\(.*\)'/\1/p" > flags.rsp
// RUN: %host-cxx @flags.rsp -fsyntax-only -Wall -Werror %s
//
// With the flags of the .clangd, clang reads CUDA; what nvcc alone knows is taken
// away.
//
// CHECK: If:
// CHECK-NEXT: PathMatch: '.*\.cuh?'
// CHECK: Remove:
// CHECK: - '-gencode*'
// CHECK: Add:
// CHECK: - '--cuda-gpu-arch=sm_80'
// CHECK: - '-DROWS=32'

#include <cuda_runtime.h>
#include <cuda_fp16.h>
__global__ void k(float *out) {
  __shared__ float tile[ROWS];
  tile[threadIdx.x] = 0;
  out[0] = tile[0];
}
void f(float *out) { k<<<1, ROWS>>>(out); }
