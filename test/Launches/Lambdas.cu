// RUN: %cuda-opt --print=model --assume-closed-world %s -- %cuda-flags \
// RUN:   -std=c++20 | FileCheck %s
//
// What a lambda captures is known in its body if nothing changes it, whenever
// the lambda is called.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

template <class F> void later(F);
int number();
void use(int);

// CHECK-LABEL: kernel byReference
// CHECK-NEXT: block 32x4x1 (launch) grid 6x1x1
KERNEL(byReference)
void launchByReference() {
  int n = 3, width = 32;
  dim3 block(width, 4);
  const int grid = 2 * n;
  later([&] { byReference<<<grid, block>>>(); });
}

// CHECK-LABEL: kernel byCopy
// CHECK-NEXT: block 96x1x1 (launch)
KERNEL(byCopy)
void launchByCopy() {
  int n = 96;
  later([=] { byCopy<<<1, n>>>(); });
}

// CHECK-LABEL: kernel changedAfterCapture
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changedAfterCapture)
void launchChangedAfterCapture() {
  int n = 96;
  later([&] { changedAfterCapture<<<1, n>>>(); });
  n = 32;
}

// CHECK-LABEL: kernel ofChanged
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofChanged)
void launchOfChanged() {
  int m = 32;
  m = number();
  int n = m;
  later([&] { ofChanged<<<1, n>>>(); });
}

// CHECK-LABEL: kernel ofParameter
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofParameter)
void launchOfParameter(int n = 32) {
  later([&] { ofParameter<<<1, n>>>(); });
}

// CHECK-LABEL: kernel changedInside
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changedInside)
void launchChangedInside() {
  int n = 32;
  later([n]() mutable {
    changedInside<<<1, n>>>();
    n *= 2;
  });
}

// CHECK-LABEL: kernel initialised
// CHECK-NEXT: block 48x1x1 (launch)
KERNEL(initialised)
void launchInitialised() {
  int m = 24;
  later([n = 2 * m] { initialised<<<1, n>>>(); });
}

// CHECK-LABEL: kernel nested
// CHECK-NEXT: block 40x1x1 (launch)
KERNEL(nested)
void launchNested() {
  int n = 40;
  later([&] { later([&] { nested<<<1, n>>>(); }); });
}

// CHECK-LABEL: kernel throughPointer
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(throughPointer)
void launchThroughPointer() {
  int n = 40;
  int *p = &n;
  later([&] { throughPointer<<<1, n>>>(); });
  *p = number();
}

// CHECK-LABEL: kernel eachRound
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(eachRound)
void launchEachRound() {
  for (int i = 1; i < 5; ++i) {
    const int n = 32 * i;
    later([&] { eachRound<<<1, n>>>(); });
  }
}

// CHECK-LABEL: kernel eachElement
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(eachElement)
void launchEachElement() {
  const int sizes[] = {32, 64};
  for (int n : sizes)
    later([&] { eachElement<<<1, n>>>(); });
}

// What is in the lambda's own variables follows from its own statements.
// CHECK-LABEL: kernel ownVariable
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(ownVariable)
void launchOwnVariable() {
  later([](int n) {
    int m = 32;
    m *= 2;
    ownVariable<<<n, m>>>();
  });
}

// CHECK-LABEL: kernel argument
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(argument)
void launchArgument() {
  auto launch = [](auto n) { argument<<<1, n>>>(); };
  launch(32);
  launch(64);
}

// A reference is as good as what it refers to.
// CHECK-LABEL: kernel boundToReference
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(boundToReference)
void launchBoundToReference() {
  int n = 32;
  int &r = n;
  const int &c = n;
  later([&] { boundToReference<<<1, c>>>(); });
  r = 64;
}

// The function that declares the variable knows it, too, behind a lambda that
// only reads it, and behind functions that get a reference to a constant.
void look(const dim3 &);
// CHECK-LABEL: kernel afterLambda
// CHECK-NEXT: block 32x3x1 (launch) grid 5x1x1
KERNEL(afterLambda)
void launchAfterLambda() {
  const dim3 block(32, 3);
  int n = 5;
  look(block);
  later([&] { use(n + block.x); });
  afterLambda<<<n, block>>>();
}

struct Kept {
  Kept();
  int n = 32;
};
void change(Kept *);
Kept *Last;
Kept::Kept() { Last = this; }
// A constructor may let out an address by which the object is written later.
// CHECK-LABEL: kernel keptByConstructor
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(keptByConstructor)
void launchKeptByConstructor() {
  Kept kept;
  change(Last);
  keptByConstructor<<<1, kept.n>>>();
}
