// A layout that leaves out what pads the elements needs fewer bytes than they had:
// that is no fault of the plan. That another array shares them cannot be written.
//
// RUN: %cuda-opt --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
//
// CHECK: layout pairs [128] -> [128] struct of arrays
// CHECK: keep storage: its text cannot be edited
#include "cuda.h"
struct Pair { float value; char kind; };
__global__ void sweep(double *out, const float *in) {
  __shared__ Pair pairs[128];
  __shared__ double sums[128];
  int x = threadIdx.x;
  pairs[x].value = in[x];
  pairs[x].kind = x & 3;
  __syncthreads();
  double sum = pairs[127 - x].value + pairs[127 - x].kind;
  __syncthreads();
  sums[x] = sum;
  __syncthreads();
  out[x] = sums[127 - x];
}
void launch(double *out, const float *in) { sweep<<<1, 128>>>(out, in); }
