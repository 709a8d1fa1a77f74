// RUN: %cuda-opt --line-directives --reuse=bytes %s -- %parse-flags 2> /dev/null | FileCheck %s
// RUN: %exits 2 %cuda-opt --line-directives --diff %s -- %parse-flags 2>&1 | FileCheck --check-prefix=DIFF %s
// RUN: %cuda-opt --line-directives --layout=keep --reuse=off %s -- %parse-flags 2> /dev/null | diff - %s
//
// Behind an edit that adds lines, the compiler is told where it is; a text without
// edits stays as it is.
//
// DIFF: cuda-opt: error: --line-directives and --diff exclude each other
// CHECK: #line 1 "{{.*}}lines.cu"
// CHECK-NEXT: // RUN:
#include "cuda.h"
__global__ void two(float *out, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  a[threadIdx.x] = in[threadIdx.x] * 1'000; // (
  if (in != out)
    __syncthreads();
  out[threadIdx.x] = a[63 - threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x + 64] = b[63 - threadIdx.x];
}
void launch(float *out, const float *in) { two<<<1, 64>>>(out, in); }
// CHECK: __shared__ union {
// CHECK: } reused;
// CHECK-NEXT: auto &a = reused.a;
// CHECK-NEXT: #line 14 "{{.*}}lines.cu"
// CHECK-NEXT: auto &b = reused.b;
