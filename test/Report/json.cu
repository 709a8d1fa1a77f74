// RUN: %cuda-opt --assume-closed-world --quiet --report=json:%t.json -o %t.cu %s -- %cuda-flags
// RUN: FileCheck %s < %t.json
// RUN: %cuda-opt --assume-closed-world -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=SUMMARY
//
// The report names every array, what became of it, and why.

#include "cuda.h"

#define CELL(r, c) tile[r][c]

// SUMMARY: json.cu: 1 kernel, 1 array rewritten, 1 kept

// CHECK: "name": "line"
// CHECK: "reason": "no-conflict"
// CHECK: "decision": "rewritten"
// CHECK: "extents": [
// CHECK-NEXT: 32,
// CHECK-NEXT: 48
// CHECK: "after": "[32][49]",
// CHECK-NEXT: "before": "[32][48]"
// CHECK: "name": "tile",
// CHECK-NEXT: "not_counted": null,
// CHECK-NEXT: "reason": null,
// CHECK-NEXT: "trust": "closed-world",
// CHECK-NEXT: "type": "float"
// CHECK: "barriers_added": 0,
// CHECK: "origin": "launch",
// CHECK: "name": "kernel"
// CHECK: "after": 6400,
// CHECK-NEXT: "before": 6272
// CHECK: "verify": "plan",
// CHECK: "schema": 2
__global__ void kernel(float *Out) {
  __shared__ float line[32];
  __shared__ float tile[32][48];
  line[threadIdx.x % 32] = 0;
  Out[threadIdx.x] = CELL(threadIdx.x % 32, 0) + line[threadIdx.x % 32];
}
void launch(float *Out) { kernel<<<1, 128>>>(Out); }
