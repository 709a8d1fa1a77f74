// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
//
// Copies are checked against the allocations; what is wrong is told once.
//
// CHECK: cuda-sim: error: cudaMemcpy: the destination has 400 bytes up to the end of cudaMalloc #1, not 401 [api-error]
// CHECK-NEXT: 1
// CHECK-NEXT: cuda-sim: error: cudaMemcpy: the source is memory of the host [api-error]
// CHECK-NEXT: 1
// CHECK-NEXT: cuda-sim: error: cudaMemset: the destination is null [api-error]
// CHECK-NEXT: 1
// CHECK-NEXT: cuda-sim: error: cudaFree: nothing to free begins at the pointer [api-error]
// CHECK-NEXT: 1
// CHECK-NEXT: cuda-sim: error: cudaMemcpy: the source is in no allocation of the device [api-error]
// CHECK-NEXT: 1
// CHECK-NEXT: cuda-sim: 0 launches, 0 warp instructions, 5 findings

#include <cstdio>

static void show(cudaError_t Error) { printf("%d\n", Error); }

int main() {
  int Host[200], *Device;
  cudaMalloc(&Device, 400);
  show(cudaMemcpy(Device, Host, 401, cudaMemcpyHostToDevice));
  show(cudaMemcpy(Host, Host + 50, 4, cudaMemcpyDeviceToHost));
  show(cudaMemset(nullptr, 0, 4));
  show(cudaFree(Device + 1));
  cudaFree(Device);
  show(cudaMemcpy(Host, Device, 4, cudaMemcpyDeviceToHost));
  cudaMemcpy(Host, Device, 4, cudaMemcpyDeviceToHost);
}
