// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim --threads=1 --json=%t.1.json %s >%t.1 2>&1
// RUN: %exits 1 %cuda-sim --threads=2 --json=%t.2.json %s >%t.2 2>&1
// RUN: %exits 1 %cuda-sim --threads=7 --json=%t.7.json %s >%t.7 2>&1
// RUN: diff %t.1 %t.2 && diff %t.1 %t.7
// RUN: diff %t.1.json %t.2.json && diff %t.1.json %t.7.json
// RUN: FileCheck %s --input-file=%t.1
//
// On however many cores blocks run: output, results, costs, and findings are
// the same, in the same order. Also where blocks meet in global memory (chain,
// count), print, or end the run.
//
// CHECK: block 0 is here
// CHECK-NEXT: block 63 is here
// CHECK: threads.cu:{{.*}} [shared-out-of-bounds]
// CHECK-NEXT: in apart
// CHECK: apart [[#%u,]], chain 64, count [[#%u,]]
// CHECK: block 0 works
// CHECK-NEXT: block 1 works
// CHECK-NOT: block 3 works
// CHECK: [assert-failed]
// CHECK: stopped: device-side assert triggered, managed 1 1 {{[01]}} 0

#include <cassert>
#include <cstdio>

// Enough work that it is worth a thread.
__device__ unsigned work(unsigned seed) {
  for (int i = 0; i < 2000; ++i)
    seed = seed * 1664525 + 1013904223;
  return seed;
}

__global__ void apart(unsigned *out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = work(blockIdx.x);
  __syncthreads();
  if (blockIdx.x == 40)
    s[threadIdx.x + 64] = 1;
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
  if (blockIdx.x % 63 == 0 && threadIdx.x == 0)
    printf("block %d is here\n", blockIdx.x);
}

__global__ void chain(unsigned *out) {
  if (work(threadIdx.x) != 0 && threadIdx.x == 0)
    out[blockIdx.x] = blockIdx.x ? out[blockIdx.x - 1] + 1 : 1;
}

__global__ void count(unsigned *out) {
  work(threadIdx.x);
  unsigned old = atomicAdd(out, blockIdx.x);
  if (threadIdx.x == 0)
    atomicXor(out + 1, old);
}

__global__ void stops(int *done) {
  volatile unsigned sum = work(threadIdx.x);
  assert(blockIdx.x != 2 || threadIdx.x != 0);
  if (threadIdx.x == 0) {
    printf("block %d works\n", blockIdx.x);
    done[blockIdx.x] = 1;
  }
}

int main() {
  unsigned *out, sum = 0;
  int *done;
  cudaMallocManaged(&out, 64 * 64 * sizeof(unsigned));
  cudaMallocManaged(&done, 64 * sizeof(int));
  apart<<<64, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64 * 64; ++i)
    sum = sum * 31 + out[i];
  chain<<<64, 64>>>(out);
  cudaDeviceSynchronize();
  printf("apart %u, chain %u", sum, out[63]);
  count<<<64, 64>>>(out);
  cudaDeviceSynchronize();
  printf(", count %u\n", out[0] * 31 + out[1]);
  stops<<<64, 64>>>(done);
  cudaError_t error = cudaDeviceSynchronize();
  printf("stopped: %s, managed %d %d %d %d\n", cudaGetErrorString(error),
         done[0], done[1], done[2], done[3]);
}
