// RUN: %cuda-opt --quiet %s -- %cuda-flags | diff %s -
// RUN: %cuda-opt --print=plan %s -- %cuda-flags | FileCheck %s
//
// Text that cannot be edited stays, byte by byte, and the reason is told.

#include "cuda.h"

#define CELL line[threadIdx.x * 32 + threadIdx.y]

// CHECK-LABEL: plan subscriptInMacro
// CHECK-NEXT: keep line: macro 'CELL' writes the text that would change
__global__ void subscriptInMacro(float *Out) {
  __shared__ float line[1024];
  Out[threadIdx.x] = CELL;
}
void launchSubscript(float *Out) { subscriptInMacro<<<1, dim3(32, 32)>>>(Out); }

// CHECK-LABEL: plan inactive
// CHECK-NEXT: keep tile: a part of the kernel that is switched off by #if
__global__ void inactive(float *Out) {
  __shared__ float tile[32][48];
  Out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
#if 0
  Out[0] = (&tile[0][0])[48];
#endif
}
void launchInactive(float *Out) { inactive<<<1, dim3(32, 8)>>>(Out); }
