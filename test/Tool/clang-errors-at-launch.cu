// RUN: %cuda-opt %s -- %cuda-flags 2>&1 | FileCheck %s
//
// In a function that launches a kernel, an assignment has operands of unknown type,
// because clang does not know the name before it, and so have a variable and a list
// of arguments.
//
// CHECK: cuda-opt: warning: {{.*}}clang reports {{.*}} errors; the kernels they touch are kept
// CHECK: __shared__ float tile[32];

#include "cuda.h"

__global__ void copy(float *Out, const float *In) {
  __shared__ float tile[32];
  tile[threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = tile[threadIdx.x];
}

Unknown Texture;
void launch(float *Out, const float *In) {
  Texture.Mode = Texture.Default;
  auto Size = unknown();
  Unknown Copy(Out, In);
  copy<<<1, 32>>>(Out, In);
}
