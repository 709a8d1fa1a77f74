// RUN: rm -rf %t && mkdir -p %t/inc && cp %s %t/main.cu && ln -s inc %t/link
// RUN: sed -n 's/^\/\/H: //p' %s > %t/inc/tile.cuh
// RUN: %cuda-opt --verify=machine -i -Rpass=.* %t/main.cu -- %cuda-flags -I %t/link 2>&1 | FileCheck %s
// RUN: grep 'tile\[32\]\[32 + 1\]' %t/inc/tile.cuh
//
// Both texts of an edited header are those that are compiled, by whatever name
// the header is included.
//
// CHECK: rewrite of kernel 'turn' verified: proved equal for all data
//
//H: __global__ void turn(float *Out, const float *In) {
//H:   __shared__ float tile[32][32];
//H:   tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
//H:   __syncthreads();
//H:   Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
//H: }

#include "cuda.h"
#include "tile.cuh"

void launch(float *Out, float *In) { turn<<<1, dim3(32, 32)>>>(Out, In); }
