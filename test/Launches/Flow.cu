// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// The block of a launch is what the host's locals hold there, in the order of
// execution. What may hold several values holds none.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

void change(dim3 *);
void bind(dim3 &);

// CHECK-LABEL: kernel assigned
// CHECK-NEXT: block 64x2x1 (launch)
KERNEL(assigned)
void launchAssigned() {
  dim3 Block;
  Block = dim3(64, 2);
  assigned<<<1, Block>>>();
}

// CHECK-LABEL: kernel byMember
// CHECK-NEXT: block 16x8x2 (launch)
KERNEL(byMember)
void launchByMember() {
  dim3 Block;
  Block.x = 16;
  Block.y = 8;
  Block.z = Block.y / 4;
  byMember<<<1, Block>>>();
}

// CHECK-LABEL: kernel reassigned
// CHECK-NEXT: block 32x1x1 (launch)
// CHECK-NOT: unknown
// CHECK: block 64x1x1 (launch)
KERNEL(reassigned)
void launchReassigned() {
  dim3 Block(32);
  reassigned<<<1, Block>>>();
  Block = dim3(64);
  reassigned<<<1, Block>>>();
}

// CHECK-LABEL: kernel changedInLoop
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changedInLoop)
void launchChangedInLoop() {
  dim3 Block(32);
  for (int I = 0; I < 2; ++I) {
    changedInLoop<<<1, Block>>>();
    Block.x *= 2;
  }
}

// CHECK-LABEL: kernel throughPointer
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(throughPointer)
void launchThroughPointer() {
  dim3 Block(32);
  change(&Block);
  throughPointer<<<1, Block>>>();
}

// CHECK-LABEL: kernel throughReference
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(throughReference)
void launchThroughReference() {
  dim3 Block(32);
  bind(Block);
  throughReference<<<1, Block>>>();
}

// CHECK-LABEL: kernel throughLambda
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(throughLambda)
void launchThroughLambda() {
  int N = 32;
  auto Change = [&] { N = 64; };
  Change();
  throughLambda<<<1, N>>>();
}

// A lambda that only reads what it captures changes nothing.
// CHECK-LABEL: kernel readByLambda
// CHECK-NEXT: block 32x4x1 (launch)
KERNEL(readByLambda)
void launchReadByLambda() {
  dim3 Block(32, 4);
  auto Launch = [&] { readByLambda<<<1, Block>>>(); };
  Launch();
}

// What happens after the launch does not matter to it.
// CHECK-LABEL: kernel changedAfter
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(changedAfter)
void launchChangedAfter() {
  int N = 32;
  changedAfter<<<1, N>>>();
  N = 64;
}

// Unless a jump leads back.
// CHECK-LABEL: kernel jumpedBack
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(jumpedBack)
void launchJumpedBack(int M) {
  int N = 32;
again:
  jumpedBack<<<1, N>>>();
  N = 64;
  if (M--)
    goto again;
}

// CHECK-LABEL: kernel oneBranch
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(oneBranch)
void launchOneBranch(bool B) {
  int N = 32;
  if (B)
    N = 64;
  oneBranch<<<1, N>>>();
}

// CHECK-LABEL: kernel bothBranches
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(bothBranches)
void launchBothBranches(bool B) {
  int N;
  if (B)
    N = 64;
  else
    N = 2 * 32;
  bothBranches<<<1, N>>>();
}

// CHECK-LABEL: kernel perhaps
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(perhaps)
void launchPerhaps(bool B) {
  int N = 32;
  B && (N = 64);
  perhaps<<<1, N>>>();
}
