// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim --json=%t.json %s 2>/dev/null
// RUN: %python -m json.tool %t.json | FileCheck %s
//
// The report for programs has what is printed, and each access by itself.
//
// CHECK: "exitCode": 1,
// CHECK: "block": [
// CHECK: "column": {{[0-9]+}},
// CHECK: "count": 2,
// CHECK: "file": "{{.*}}json.cu",
// CHECK: "id": "uninitialised",
// CHECK: "kernel": "kernel(int*)",
// CHECK: "launch": 1,
// CHECK: "line": [[#@LINE+30]],
// CHECK: "object": "Buffer",
// CHECK: "severity": "error",
// CHECK: "text": "{{.*}}[uninitialised]",
// CHECK: "thread": 0
// CHECK: "count": 1,
// CHECK: "id": "api-error",
// CHECK: "severity": "error",
// CHECK: "text": "cudaMemset: the destination is null"
// CHECK: "kernels": [
// CHECK: "accesses": [
// CHECK: "bound": 2,
// CHECK: "operation": "load",
// CHECK: "requests": 2,
// CHECK: "wavefronts": 2,
// CHECK: "width": 4
// CHECK: "launches": 2,
// CHECK: "name": "kernel(int*)",
// CHECK: "launches": 2,
// CHECK: "optimized": false,
// CHECK: "version": 1,
// CHECK: "warpInstructions": {{[1-9]}}

#include <cuda_runtime.h>

__global__ void kernel(int *Data) {
  __shared__ int Buffer[1];
  if (!Data)
    Buffer[0] = 1;
  if (threadIdx.x == 0)
    Data[0] = Buffer[0];
}

int main() {
  int *Data;
  cudaMalloc(&Data, 4);
  kernel<<<1, 32>>>(Data);
  kernel<<<1, 32>>>(Data);
  cudaMemset(nullptr, 0, 1);
}
