// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt -Rpass-missed %t/main.cu -- %cuda-flags 2>&1 >%t/out.cu | FileCheck %s --check-prefix=KEPT
// RUN: cmp %t/main.cu %t/out.cu
// RUN: %cuda-opt --diff %t/main.cu -- %cuda-flags | FileCheck %s --check-prefix=DIFF
// RUN: %exits 1 %cuda-opt --check %t/main.cu -- %cuda-flags | FileCheck %s --check-prefix=CHECK
// RUN: %cuda-opt -i %t/main.cu -- %cuda-flags
// RUN: grep '32 + 1' %t/kernel.cuh
//
// Only options that write each file can change an included one; the others say
// that it is kept.
//
// KEPT: kernel.cuh:3:{{.*}} keeps its layout: it is declared in an included file
// DIFF: +++ {{.*}}kernel.cuh
// DIFF: +  __shared__ float inner[32][32 + 1];
// CHECK: would change {{.*}}kernel.cuh
// CHECK-NOT: would change

//--- main.cu
#include "kernel.cuh"
void launch(float *Out, const float *In) {
  included<<<1, dim3(32, 32)>>>(Out, In);
}
//--- kernel.cuh
#include "cuda.h"
__global__ void included(float *Out, const float *In) {
  __shared__ float inner[32][32];
  inner[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = inner[threadIdx.x][threadIdx.y];
}
