// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// What a variable holds where ways join, and on what condition a place is reached,
// whatever statements the ways are made of.

#include "cuda.h"

__device__ int clamp(int x, int high) {
  if (x < 0)
    return 0;
  if (x > high)
    return high;
  return x;
}

// Several returns of a callee.
// CHECK-LABEL: kernel clamped
// CHECK-NOT: opaque
__global__ void clamped(int n) {
  __shared__ float line[64];
  line[clamp(int(threadIdx.x) - n, 63)] = 0;
}

// `switch`, with a case that falls through.
// CHECK-LABEL: kernel chosen
// CHECK-NOT: opaque
__global__ void chosen(int mode) {
  __shared__ float line[64];
  int at = threadIdx.x;
  switch (mode) {
  case 0:
    at = 0;
  case 1:
    at += 1;
    break;
  default:
    at = 2;
  }
  line[at] = 0;
}

// Both operands of `&&` are conditions; behind `continue` both do not hold.
// CHECK-LABEL: kernel skipped
// CHECK-NOT: opaque
__global__ void skipped(int n) {
  __shared__ float line[64];
  for (int k = 0; k < 4; ++k) {
    if (threadIdx.x > 8 && k < n)
      continue;
    line[threadIdx.x + k] = 0;
  }
}

// The body of `do ... while (false)` is executed once: no loop.
// CHECK-LABEL: kernel once
// CHECK-NOT: loop
// CHECK-NOT: opaque
__global__ void once(int n) {
  __shared__ float line[64];
  do {
    if (n < 3)
      break;
    line[threadIdx.x] = 0;
  } while (false);
}

// A lambda's captures are variables like others, by reference, too.
// CHECK-LABEL: kernel captured
// CHECK-NOT: opaque
__global__ void captured() {
  __shared__ float line[64];
  int at = threadIdx.x;
  auto next = [&] { return ++at; };
  line[next()] = 0;
  line[at] = 1;
}

// A pointer to a local variable leads to it.
// CHECK-LABEL: kernel pointed
// CHECK-NOT: opaque
__global__ void pointed() {
  __shared__ float line[64];
  int at = 0;
  int *where = &at;
  *where = threadIdx.x;
  line[at] = 0;
}

// Two ways out of a loop bring two values: which, depends on the iteration.
// CHECK-LABEL: kernel searched
// CHECK: opaque
__global__ void searched(const int *keys) {
  __shared__ float line[64];
  int k = 0;
  for (; k < 4; ++k)
    if (keys[k] == 0)
      break;
  line[threadIdx.x + k] = 0;
}

// The test of a loop that reads memory is executed once more than its body.
// CHECK-LABEL: kernel tested
// CHECK: opaque
__global__ void tested(int n) {
  __shared__ int line[64];
  for (int k = 0; (line[threadIdx.x + k] = k, k < n); ++k)
    line[line[k]] = 0;
}
