// REQUIRES: cuda
// RUN: %cuda-sim --threads=1 %s >%t.1 2>&1
// RUN: %cuda-sim --threads=4 %s >%t.4 2>&1
// RUN: diff %t.1 %t.4
// RUN: FileCheck %s --input-file=%t.1
//
// What a block copies to shared memory in the background is read, too: blocks
// that take it from each other run one after the other.
//
// CHECK: 1 10 19 28 37 46 55 64

#include <cstdio>
#include <cuda_pipeline.h>

__global__ void chain(unsigned *o) {
  __shared__ unsigned s[32];
  unsigned w = threadIdx.x;
  for (int i = 0; i < 4000; ++i)
    w = w * 1664525 + 1013904223;
  const int from = blockIdx.x ? blockIdx.x - 1 : 0;
  __pipeline_memcpy_async(&s[threadIdx.x], &o[from * 32 + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  o[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x] + (w | 1) % 3 + 1;
}
int main() {
  unsigned *o;
  cudaMallocManaged(&o, 64 * 128);
  chain<<<64, 32>>>(o);
  cudaDeviceSynchronize();
  for (int b = 0; b < 64; b += 9)
    printf("%u ", o[b * 32]);
  printf("\n");
}
