// RUN: %cuda-opt --print=model --assume-closed-world %s -- %cuda-flags \
// RUN:   -std=c++17 | FileCheck %s
//
// An exception leaves a block anywhere: what the block may have changed is not
// known in its handlers and behind them. What it does not change is.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

void mayThrow();
void end() __attribute__((noreturn));
void change(int &n);

// CHECK-LABEL: kernel inBlock
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(inBlock)
void launchInBlock() {
  int n = 32;
  try {
    n *= 2;
    mayThrow();
    inBlock<<<1, n>>>();
  } catch (int e) {
    end();
  }
}

// CHECK-LABEL: kernel behindBlock
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(behindBlock)
void launchBehindBlock() {
  int n = 32;
  try {
    n = 64;
    mayThrow();
    n = 32;
  } catch (...) {
  }
  behindBlock<<<1, n>>>();
}

// CHECK-LABEL: kernel changedByNobody
// CHECK-NEXT: block 32x4x1 (launch) grid 3x1x1
KERNEL(changedByNobody)
void launchChangedByNobody(float *p) {
  dim3 block(32, 4);
  int n = 3;
  try {
    int m = n;
    m += 1;
    p[m] = 0;
    mayThrow();
  } catch (...) {
  }
  changedByNobody<<<n, block>>>();
}

// CHECK-LABEL: kernel changedByCallee
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changedByCallee)
static void twice(int &n) {
  n *= 2;
  mayThrow();
  n /= 2;
}
void launchChangedByCallee() {
  int n = 32;
  try {
    twice(n);
  } catch (...) {
  }
  changedByCallee<<<1, n>>>();
}

// CHECK-LABEL: kernel changedByLambda
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changedByLambda)
void launchChangedByLambda() {
  int n = 32;
  auto change = [&] {
    n = 64;
    mayThrow();
    n = 32;
  };
  try {
    change();
  } catch (...) {
  }
  changedByLambda<<<1, n>>>();
}

// CHECK-LABEL: kernel changedByHandler
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changedByHandler)
void launchChangedByHandler() {
  int n = 32;
  try {
    try {
      mayThrow();
    } catch (int) {
      n = 64;
      throw;
    }
  } catch (...) {
  }
  changedByHandler<<<1, n>>>();
}

// CHECK-LABEL: kernel handlersAgree
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(handlersAgree)
void launchHandlersAgree() {
  int n;
  try {
    mayThrow();
    n = 64;
  } catch (int) {
    n = 63;
    ++n;
  }
  handlersAgree<<<1, n>>>();
}

// CHECK-LABEL: kernel thrown
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(thrown)
void launchThrown(bool b) {
  int n = 32;
  try {
    n = 64;
    if (b)
      throw 1;
    n = 32;
  } catch (int) {
  }
  thrown<<<1, n>>>();
}

// CHECK-LABEL: kernel wholeBody
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(wholeBody)
void launchWholeBody() try {
  int n = 32;
  mayThrow();
  wholeBody<<<1, n>>>();
} catch (...) {
}

// CHECK-LABEL: kernel inHandler
// CHECK-NEXT: block 48x1x1 (launch)
KERNEL(inHandler)
void launchInHandler() {
  const int n = 48;
  try {
    mayThrow();
  } catch (...) {
    inHandler<<<1, n>>>();
  }
}

// CHECK-LABEL: kernel inLoop
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(inLoop)
void launchInLoop() {
  int n = 1024;
  while (true) {
    try {
      inLoop<<<1, n>>>();
      mayThrow();
      break;
    } catch (...) {
      n /= 2;
    }
  }
}
