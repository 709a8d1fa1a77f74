// RUN: rm -rf %t && mkdir %t && cp %s %t/c.cu
// RUN: echo '#include "c.cu"' > %t/d.cu
// RUN: echo 'void more(float *o, const float *i) { reverse<<<1, 128>>>(o, i); }' >> %t/d.cu
// RUN: %cuda-opt -i %t/c.cu %t/d.cu -- %cuda-flags
// RUN: cmp %s %t/c.cu
// RUN: cp %s %t/alone.cu
// RUN: %cuda-opt -i %t/alone.cu -- %cuda-flags
// RUN: FileCheck %s < %t/alone.cu
//
// A source that changes in place changes for a source that includes it, which
// may launch its kernels otherwise.
//
// CHECK: {{^ +}}__shared__ float part[64];
#include "cuda.h"

static __global__ void reverse(float *out, const float *in) {
  __shared__ float part[8192];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
void launch(float *out, const float *in) { reverse<<<1, 64>>>(out, in); }
