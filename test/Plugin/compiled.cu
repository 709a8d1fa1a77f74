// RUN: %host-cxx -x cuda %cuda-flags -fplugin=%plugin -O1 -S -emit-llvm -g -MD -MF %t.d -o - %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILES < %t.d
// RUN: %host-cxx -x cuda %cuda-flags -fplugin=%plugin -O1 -S -emit-llvm -o - %s -fplugin-arg-cudaopt-check | FileCheck %s --check-prefix=CHECKED
//
// Clang compiles the new text, calls it by the file's name and knows its lines;
// what is only checked is compiled as it is.
//
// CHECK: @{{.*}}tile = {{.*}} [32 x [33 x float]]
// CHECK: !DIFile(filename: "{{.*}}compiled.cu"
// CHECK: !DISubprogram(name: "launch", {{.*}} line: [[#@LINE+15]],
// FILES: compiled.cu
// FILES: cuda.h
// FILES-NOT: .cu
// CHECKED: @{{.*}}tile = {{.*}} [32 x [32 x float]]

#include "cuda.h"

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__host__ __device__ void used(float *);
__device__ void launch(float *Out) {
  used(Out);
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
