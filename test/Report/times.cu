// RUN: %cuda-opt --statistics -q -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck %s
//
// The totals say which kernels conflicts slow down, those with most time to save first:
// what the rewrite saves, and what it leaves. A kernel without conflicts is not named.
//
// CHECK: time of conflicts 2 of 3 kernels whose conflicts are counted lose 1% or more to them, or did
// CHECK-NEXT: kept {{[0-9.]+}} us a launch ({{.*}}times.cu:{{[0-9]+}}): saved 0%, left {{[1-9][0-9]}}%; limited by shared memory
// CHECK-NEXT: changed {{[0-9]+}} cycles a block ({{.*}}times.cu:{{[0-9]+}}): saved {{[1-9][0-9]}}%, left 0%; limited by shared memory
#include "cuda.h"

__global__ void changed(float *out) {
  __shared__ float s[32][32];
  s[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

__global__ void kept(float *out) {
  __shared__ float s[32][32]; // cuda-opt: ignore
  s[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

__global__ void plain(float *out) {
  __shared__ float s[1024];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[1023 - threadIdx.x];
}

void launch(float *p, int n) {
  changed<<<n, dim3(32, 32)>>>(p);
  kept<<<1000, dim3(32, 32)>>>(p);
  plain<<<1000, 1024>>>(p);
}
