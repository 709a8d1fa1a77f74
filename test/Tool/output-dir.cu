// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt --output-dir=%t/new/dir %t/a.cu %t/b.cu -- %cuda-flags | count 0
// RUN: cmp %t/b.cu %t/new/dir/b.cu
// RUN: FileCheck %s --input-file=%t/new/dir/transpose.cuh
// RUN: not FileCheck %s --input-file=%t/transpose.cuh
// RUN: %exits 3 %cuda-opt --output-dir=%t %t/a.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: not FileCheck %s --input-file=%t/transpose.cuh
// RUN: %exits 3 %cuda-opt --output-dir=%t/out %t/b.cu %t/sub/b.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: cmp %t/b.cu %t/out/b.cu
//
// --output-dir writes the main files and every changed header under their own
// names, never onto a source, nor two files into one.
//
// CHECK: __shared__ float inner[32][32 + 1];
// SOURCE: cuda-opt: error: '{{.*}}a.cu' lies in the output folder
// TAKEN: cuda-opt: error: '{{.*}}b.cu' is already the output of another file

//--- a.cu
#include "transpose.cuh"
void launch(float *Out, const float *In) {
  included<<<1, dim3(32, 32)>>>(Out, In);
}
//--- b.cu
int unchanged;
//--- sub/b.cu
int other;
//--- transpose.cuh
#include "cuda.h"
__global__ void included(float *Out, const float *In) {
  __shared__ float inner[32][32];
  inner[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = inner[threadIdx.x][threadIdx.y];
}
