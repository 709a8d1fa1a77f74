// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// Elements of host arrays that nothing changes may give the shape of the block.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x] = 0;                                                     \
  }

// CHECK-LABEL: kernel fromArray
// CHECK-NEXT: block 16x8x1 (launch)
KERNEL(fromArray)
// CHECK-LABEL: kernel fromVariables
// CHECK-NEXT: block 32x2x1 (launch)
KERNEL(fromVariables)
// CHECK-LABEL: kernel fromRest
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(fromRest)
// CHECK-LABEL: kernel fromChanged
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(fromChanged)
// CHECK-LABEL: kernel fromHandedOut
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(fromHandedOut)
// CHECK-LABEL: kernel fromElementHandedOut
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(fromElementHandedOut)
// CHECK-LABEL: kernel fromLoop
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(fromLoop)

void take(unsigned *Array);

void launch(unsigned N) {
  unsigned Local[2] = {16, 8};
  fromArray<<<1, dim3(Local[0], Local[1])>>>();

  unsigned Width = 8;
  Width = 32;
  unsigned Sizes[] = {Width, Width / 16};
  Width = 64; // Too late.
  dim3 Block(Sizes[0], Sizes[1]);
  fromVariables<<<1, Block>>>();

  fromRest<<<1, Local[N]>>>();

  unsigned Changed[2] = {16, 8};
  Changed[1] = N;
  fromChanged<<<1, dim3(Changed[0], Changed[1])>>>();

  unsigned HandedOut[2] = {16, 8};
  take(HandedOut);
  fromHandedOut<<<1, dim3(HandedOut[0], HandedOut[1])>>>();

  unsigned One[2] = {16, 8};
  take(&One[0]);
  fromElementHandedOut<<<1, dim3(One[0], One[1])>>>();

  for (unsigned I = 1; I < N; I *= 2) {
    unsigned Each[1] = {I};
    fromLoop<<<1, Each[0]>>>();
  }
}
