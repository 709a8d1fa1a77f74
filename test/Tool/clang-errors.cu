// RUN: %cuda-opt %s -- %cuda-flags 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.err
//
// Clang is stricter than nvcc: an error outside the kernels hinders nothing, one
// inside a kernel keeps that kernel; neither is printed in full. A shared variable
// with a constructor is none, and keeps nothing.
//
// WARNING: cuda-opt: warning: {{.*}}clang-errors.cu: clang reports 2 errors; the kernels they touch are kept
// WARNING-SAME: ; first: {{.*}}clang-errors.cu:{{.*}}: error:
// WARNING-NOT: {{^.*}}error:
// CHECK: {{^ +}}__shared__ float tile[32][32 + 1];
// CHECK: {{^ +}}__shared__ float broken[32][32];

#include "cuda.h"

struct Counter {
  __device__ Counter() {}
  int n;
};

__global__ void transpose(float *Out, const float *In) {
  __shared__ Counter counter;
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
int outside() { return undeclared; }
__global__ void broken(float *Out, const float *In) {
  __shared__ float broken[32][32];
  broken[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  undeclared();
  Out[threadIdx.y * 32 + threadIdx.x] = broken[threadIdx.x][threadIdx.y];
}
void launchBroken(float *Out, const float *In) {
  broken<<<1, dim3(32, 32)>>>(Out, In);
}
