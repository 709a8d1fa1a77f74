// RUN: %cuda-opt -Rpass-analysis=global-access --report=json:%t.json -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: FileCheck %s --check-prefix=JSON < %t.json
//
// Reports say how many sectors each access to global memory takes, and how many its
// bytes fill.
#include "cuda.h"

// The lanes read a row each; all of them read one element of the vector.
__global__ void product(float *out, const float *matrix, const float *vector,
                        int n) {
  int row = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 32; ++i)
    // CHECK: [[@LINE+2]]:12: remark: loads from global memory: sectors a request 32 (at least 4); lanes are far apart: give neighbouring threads neighbouring elements, or copy tiles through shared memory
    // CHECK: [[@LINE+1]]:34: remark: loads from global memory: sectors a request 1 (at least 1)
    sum += matrix[row * n + i] * vector[i];
  // CHECK: [[@LINE+1]]:12: remark: stores to global memory: sectors a request 4 (at least 4)
  out[row] = sum;
}
// JSON: "global": [
// JSON: "advice": "lanes are far apart
// JSON: "kind": "load",
// JSON-NEXT: "lanes": "far",
// JSON-NEXT: "least": 512,
// JSON-NEXT: "line": 17,
// JSON-NEXT: "requests": 128,
// JSON-NEXT: "sectors": 4096

// Every other float; unrolled code is one place. What is read elsewhere is not
// known.
__global__ void strided(float *out, const float *in, const int *where) {
  for (int i = 0; i < 4; ++i) {
    // CHECK: [[@LINE+1]]:14: remark: loads from global memory: sectors a request 4 (at least 4)
    int at = where[i * 128 + threadIdx.x];
    // CHECK: [[@LINE+1]]:38: remark: stores to global memory: sectors a request 8 (at least 4); lanes are 8 bytes apart: put side by side what neighbouring threads need (structure of arrays)
    out[2 * (i * 128 + threadIdx.x)] = in[at];
  }
}

// CHECK: [[@LINE+2]]:3: remark: atomic operations on global memory: sectors a request 32 (at least 32)
__global__ void counted(int *out) {
  atomicAdd(out, 1);
}

void launch(float *f, int *i) {
  product<<<100, 128>>>(f, f, f, 77);
  strided<<<1, 128>>>(f, f, i);
  counted<<<1, 128>>>(i);
}
