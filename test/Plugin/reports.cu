// RUN: rm -rf %t && mkdir %t
// RUN: %clang-plugin -fplugin-arg-cudaopt-passes=bank-layout -fplugin-arg-cudaopt-report=json:%t/p.json -fplugin-arg-cudaopt-report=html:%t/p.html -fplugin-arg-cudaopt-save-optimization-record -fplugin-arg-cudaopt-opt-record-file=%t/p.yaml %s
// RUN: %cuda-opt -q --passes=bank-layout --report=json:%t/t.json --report=html:%t/t.html --save-optimization-record=yaml --opt-record-file=%t/t.yaml -o %t/t.cu %s -- %cuda-flags
// RUN: diff %t/p.json %t/t.json && cmp %t/p.html %t/t.html && cmp %t/p.yaml %t/t.yaml
//
// The plugin makes the reports that the tool makes, several at once; an option
// whose value may be left out may be given without one.

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
