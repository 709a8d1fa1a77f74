// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --placement=greedy --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=GREEDY
//
// Two arrays that are alive together lie side by side in a dead greater one, where
// partitions of one array each would take 10240 bytes.
#include "cuda.h"

// GREEDY: bytes 14336 -> 10240
// CHECK-LABEL: void kernel(
// CHECK-NEXT: __shared__ union {
// CHECK-NEXT:   struct {
// CHECK-NEXT:     float a[1024];
// CHECK-NEXT:     float b[768];
// CHECK-NEXT:   };
// CHECK-NEXT:   float c[1792];
// CHECK-NEXT: } reused;
__global__ void kernel(float *out) {
  __shared__ float a[1024];
  __shared__ float b[768];
  __shared__ float c[1792];
  int t = threadIdx.x;
  for (int i = t; i < 1024; i += 256)
    a[i] = out[i];
  for (int i = t; i < 768; i += 256)
    b[i] = out[i + 1024];
  __syncthreads();
  float x = a[(t + 1) % 1024] + b[(t + 1) % 768];
  __syncthreads();
  for (int i = t; i < 1792; i += 256)
    c[i] = x * i;
  __syncthreads();
  out[t] = c[(t + 1) % 1792];
}

void launch(float *out) { kernel<<<1, 256>>>(out); }
