// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cu && echo 'int unchanged;' > %t/b.cu
// RUN: %cuda-opt --report=json:%t/report.json --check --quiet %t/b.cu -- %cuda-flags
// RUN: %exits 1 %cuda-opt --report=json:%t/report.json --check %t/a.cu %t/b.cu -- %cuda-flags
// RUN: FileCheck %s < %t/report.json
// RUN: %exits 3 %cuda-opt --report=json:%t/no/report.json %t/b.cu -- %cuda-flags
//
// One report covers all files of a run.
//
// CHECK: "file": "{{.*}}a.cu"
// CHECK: "name": "tile"
// CHECK: "file": "{{.*}}b.cu"
// CHECK: "schema": 2

#include "cuda.h"

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
