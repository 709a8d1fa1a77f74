// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %exits 1 %cuda-opt --check -q -j 2 --statistics a.cu b.cu -- %cuda-flags 2>&1 > stdout | FileCheck %s
// RUN: FileCheck %s --check-prefix=STDOUT < stdout
//
// The totals of all files come last, on standard error. What a header has
// counts once.
//
// CHECK: statistics:
// CHECK-NEXT: {{^}}  files                  2, 1 changed
// CHECK-NEXT: {{^}}  kernels                3, 1 changed
// CHECK-NEXT: {{^}}  shared arrays          3
// CHECK-NEXT: {{^}}    new layout           1
// CHECK-NEXT: {{^}}    private              0
// CHECK-NEXT: {{^}}    kept                 2: 1 address-escapes, 1 no-conflict
// CHECK-NEXT: {{^}}  static shared bytes    8448 -> 8448
// CHECK-NEXT: {{^}}  wavefronts             68 -> 6 (at least 6), a block of each kernel; not counted: 1 kernel
// CHECK-NEXT: {{^}}  arrays not counted     1: 1 address-escapes
// CHECK-NEXT: {{^}}  time of conflicts      1 of 2 kernels whose conflicts are counted lose 1% or more to them, or did
// CHECK-NEXT: {{^}}    column               0.{{[0-9]+}} us a launch (a.cu:3): saved 88%, left 0%; limited by latency
// CHECK-NOT: {{.}}
// STDOUT: would change a.cu
// STDOUT-NOT: statistics

//--- both.cuh
__global__ void line(float *o) {
  __shared__ float s[64];
  s[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 1];
}
//--- a.cu
#include "cuda.h"
#include "both.cuh"
__global__ void column(float *o) {
  __shared__ float s[32][32];
  s[threadIdx.x][0] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x ^ 1][0];
}
void launch(float *o) {
  line<<<1, 64>>>(o);
  column<<<1, 32>>>(o);
}
//--- b.cu
#include "cuda.h"
#include "both.cuh"
__global__ void escapes(float *o) {
  __shared__ float s[1024];
  float *q = s + threadIdx.x;
  *q = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = q[1];
}
void launch(float *o) {
  line<<<1, 64>>>(o);
  escapes<<<1, 32>>>(o);
}
