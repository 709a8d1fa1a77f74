// RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/launcher/* %t && cd %t
// RUN: cp %S/../Inputs/fake-nvcc.py nvcc
// RUN: %cuda-opt ./nvcc %parse-flags -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -c transpose.cu -o a.o 2>&1 | FileCheck --check-prefix=ALIKE %s
// RUN: split-file %s %t
// RUN: %cuda-opt ./nvcc %parse-flags -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -c differs.cu -o b.o 2>&1 | FileCheck --check-prefix=DIFFERS %s
//
// One text serves all GPUs, or the source stays.
//
// ALIKE: -c a.o.cuda-opt/transpose.cu
// DIFFERS: warning: differs.cu: the rewrites for sm_80 and sm_90 differ; compiling the original
// DIFFERS: -c differs.cu -o b.o

//--- differs.cu
#include "cuda.h"
#if __CUDA_ARCH__ == 900
#define EXTRA 1
#else
#define EXTRA 0
#endif
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32 + EXTRA];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *o, float *i, int n) {
  transpose<<<1, dim3(32, 32)>>>(o, i, n);
}
