// RUN: %cuda-opt --print=model --assume-closed-world %s -- %cuda-flags \
// RUN:   -std=c++20 | FileCheck %s
//
// The numbers of a launch are those that each way to it brings; if two ways
// bring different ones, or a loop others in each round, there are none. What no
// way leads to is no launch.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

bool test();
int number();
void use(int);
[[noreturn]] void fail();

// CHECK-LABEL: kernel memberOnOneWay
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(memberOnOneWay)
void launchMemberOnOneWay() {
  dim3 block(32, 4);
  if (test())
    block.y = 2;
  memberOnOneWay<<<1, block>>>();
}

// CHECK-LABEL: kernel memberOfGrid
// CHECK-NEXT: block 32x4x1 (launch), 0 barriers
KERNEL(memberOfGrid)
void launchMemberOfGrid() {
  dim3 block(32, 4), grid(2, 3);
  if (test())
    grid.z = 2;
  memberOfGrid<<<grid, block>>>();
}

// CHECK-LABEL: kernel bothWays
// CHECK-NEXT: block 64x2x1 (launch) grid 7x1x1
KERNEL(bothWays)
void launchBothWays() {
  dim3 block;
  int n = 5;
  if (test()) {
    block = dim3(64, 2);
    n += 2;
  } else {
    block.x = 8 * 8;
    block.y = 2;
    n = 7;
  }
  bothWays<<<n, block>>>();
}

// CHECK-LABEL: kernel onlyIfItFits
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(onlyIfItFits)
void launchOnlyIfItFits() {
  int n = 64;
  if (test())
    n = 32;
  else
    return;
  onlyIfItFits<<<1, n>>>();
}

// CHECK-LABEL: kernel orEndsThere
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(orEndsThere)
void launchOrEndsThere() {
  int n = 32;
  if (!test()) {
    n = 64;
    fail();
  }
  orEndsThere<<<1, n>>>();
}

// CHECK-LABEL: kernel grows
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(grows)
void launchGrows() {
  for (int n = 32; n <= 1024; n *= 2)
    grows<<<1, n>>>();
}

// CHECK-LABEL: kernel changesLater
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changesLater)
void launchChangesLater() {
  int n = 32, next = 32;
  while (test()) {
    changesLater<<<1, n>>>();
    n = next;
    next = 64;
  }
}

// CHECK-LABEL: kernel behindLoop
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(behindLoop)
void launchBehindLoop() {
  int n = 32;
  do {
    if (test())
      break;
    n = 64;
  } while (test());
  behindLoop<<<1, n>>>();
}

// CHECK-LABEL: kernel sameInLoop
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(sameInLoop)
void launchSameInLoop() {
  int n = 32;
  for (int i = 0; i < number(); ++i) {
    n = 16;
    n *= 2;
    sameInLoop<<<i + 1, n>>>();
  }
}

// CHECK-LABEL: kernel fallsThrough
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(fallsThrough)
void launchFallsThrough() {
  int n = 32;
  switch (number()) {
  case 1:
    n = 64;
  case 2:
    fallsThrough<<<1, n>>>();
  }
}

// CHECK-LABEL: kernel eachCase
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(eachCase)
void launchEachCase() {
  int n;
  switch (number()) {
  case 1:
    n = 64;
    break;
  default:
    n = 60 + 4;
  }
  eachCase<<<1, n>>>();
}

// CHECK-LABEL: kernel jumpedOver
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(jumpedOver)
void launchJumpedOver() {
  int n = 32;
  if (test())
    goto launch;
  n = 64;
launch:
  jumpedOver<<<1, n>>>();
}

// CHECK-LABEL: kernel jumpedOverNothing
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(jumpedOverNothing)
void launchJumpedOverNothing() {
  int n = 32;
  if (test())
    goto launch;
  use(n);
launch:
  jumpedOverNothing<<<1, n>>>();
}

// CHECK-LABEL: kernel jumpedAnywhere
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(jumpedAnywhere)
void launchJumpedAnywhere() {
  void *where[] = {&&first, &&second};
  int n = 32;
  goto *where[number()];
first:
  n = 64;
second:
  jumpedAnywhere<<<1, n>>>();
}

// The larger one is never launched.
// CHECK-LABEL: kernel chosenByConstant
// CHECK-NEXT: block 32x1x1 (launch)
// CHECK-NOT: block
// CHECK-LABEL: kernel chosenByArgument
KERNEL(chosenByConstant)
void launchChosenByConstant() {
  const int n = 1000;
  if (n > 1024)
    chosenByConstant<<<1, 1024>>>();
  else
    chosenByConstant<<<1, 32>>>();
}

// CHECK-NEXT: block {{32|64}}x1x1 (launch)
// CHECK: block {{32|64}}x1x1 (launch)
KERNEL(chosenByArgument)
void launchChosenByArgument(int n) {
  if (n > 1024)
    chosenByArgument<<<1, 64>>>();
  else
    chosenByArgument<<<1, 32>>>();
}

// CHECK-LABEL: kernel ofInstance
// CHECK-NEXT: block 128x1x1 (launch)
// CHECK-NOT: block
// CHECK-LABEL: kernel inCondition
KERNEL(ofInstance)
template <int N> void launchOfInstance() {
  if constexpr (N < 64)
    ofInstance<<<1, N>>>();
  else
    ofInstance<<<1, 2 * N>>>();
}
template void launchOfInstance<64>();

// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(inCondition)
void launchInCondition() {
  int n = 16;
  if (int m = 2 * n; m > number())
    inCondition<<<1, m>>>();
}

// CHECK-LABEL: kernel loopEnds
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(loopEnds)
void launchLoopEnds() {
  int n = 1;
  while (n < 100)
    n *= 2;
  loopEnds<<<1, n>>>();
}

// CHECK-LABEL: kernel notInitialised
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(notInitialised)
void launchNotInitialised() {
  int n;
  if (test())
    n = 32;
  notInitialised<<<1, n>>>();
}
