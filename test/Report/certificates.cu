// RUN: %cuda-opt --assume-closed-world --report=json:%t.json -o %t.cu %s -- %cuda-flags
// RUN: FileCheck %s < %t.json
// RUN: %cuda-opt --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
//
// How good a layout is known to be is part of the report. Resources are there
// only if they were asked for.

#include "cuda.h"

// CHECK: "certificate": "bound reached"
// CHECK: "name": "reached",
// CHECK: "resources": null
// PLAN: layout reached {{.*}}, bound 64: bound reached, closed-world{{$}}
__global__ void bound() {
  __shared__ float reached[32][32];
  reached[threadIdx.y][threadIdx.x] = 0;
  reached[threadIdx.x][threadIdx.y] = 0;
}

// Either the columns or the antidiagonals of rows of odd length conflict.
// CHECK: "certificate": "best found"
// CHECK: "name": "best",
// PLAN: layout best {{.*}} -> 4, bound 3: best found, gap 1, closed-world{{$}}
__global__ void gap() {
  __shared__ float best[33 * 33];
  best[threadIdx.x * 33 + threadIdx.y] = 0;
  best[threadIdx.y * 33 + threadIdx.x] = 1;
  best[threadIdx.x * 33 + (32 - threadIdx.x)] = 2;
}

// Nothing was searched: the array may not change.
// CHECK: "certificate": null
// CHECK: "name": "kept",
// CHECK: "reason": "size-taken"
// PLAN: keep kept: its size is used here
__global__ void refused(size_t *Out) {
  __shared__ float kept[32][32];
  kept[threadIdx.x][0] = 0;
  *Out = sizeof(kept);
}

void launch(size_t *Out) {
  bound<<<1, dim3(32, 32)>>>();
  gap<<<1, 32>>>();
  refused<<<1, 32>>>(Out);
}
