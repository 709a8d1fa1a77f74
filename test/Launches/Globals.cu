// RUN: %cuda-opt --print=model --assume-closed-world %s -- %cuda-flags \
// RUN:   -std=c++17 | FileCheck %s
//
// A variable that outlives the function is known if it is constant, or if only
// this file can name it and nothing changes it.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

struct Sizes {
  short Skipped;
  dim3 Block[2];
  float Factor;
};
struct Later {
  mutable int N;
};

int Open = 32;
static int Changed = 32;
static int Unchanged = 32;
static volatile int Volatile = 32;
const dim3 Constant(16, 4);
static const Sizes Table = {1, {dim3(32), dim3(8, 4, 2)}, 1.5f};
const Later Mutable = {32};
extern const int Elsewhere;
thread_local static int OfThread = 32;
namespace {
dim3 Anonymous(24);
}

void change() {
  Changed = 64;
  Mutable.N = 64;
}

// CHECK-LABEL: kernel ofOpen
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofOpen)
// CHECK-LABEL: kernel ofChanged
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofChanged)
// CHECK-LABEL: kernel ofUnchanged
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(ofUnchanged)
// CHECK-LABEL: kernel ofVolatile
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofVolatile)
// CHECK-LABEL: kernel ofConstant
// CHECK-NEXT: block 16x4x1 (launch)
KERNEL(ofConstant)
// CHECK-LABEL: kernel ofTable
// CHECK-NEXT: block 8x4x2 (launch)
KERNEL(ofTable)
// CHECK-LABEL: kernel ofFactor
// CHECK-NEXT: block 48x1x1 (launch)
KERNEL(ofFactor)
// CHECK-LABEL: kernel ofMutable
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofMutable)
// CHECK-LABEL: kernel ofElsewhere
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofElsewhere)
// CHECK-LABEL: kernel ofThread
// CHECK-NEXT: block 32x1x1 (launch)
KERNEL(ofThread)
// CHECK-LABEL: kernel ofAnonymous
// CHECK-NEXT: block 24x1x1 (launch)
KERNEL(ofAnonymous)
// CHECK-LABEL: kernel assignedHere
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(assignedHere)
// CHECK-LABEL: kernel counted
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(counted)
// CHECK-LABEL: kernel outside
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(outside)
// CHECK-LABEL: kernel overrun
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(overrun)

void launch() {
  ofOpen<<<1, Open>>>();
  ofChanged<<<1, Changed>>>();
  ofUnchanged<<<1, Unchanged>>>();
  ofVolatile<<<1, Volatile>>>();
  ofConstant<<<1, Constant>>>();
  int second = 0;
  ++second;
  ofTable<<<1, Table.Block[second]>>>();
  ofFactor<<<1, (int)(32 * Table.Factor)>>>();
  ofMutable<<<1, Mutable.N>>>();
  ofElsewhere<<<1, Elsewhere>>>();
  ofThread<<<1, OfThread>>>();
  ofAnonymous<<<1, Anonymous>>>();
  // Others may run in between.
  Open = 48;
  change();
  assignedHere<<<1, Open>>>();
  static int Count = 32;
  counted<<<1, Count++>>>();
  overrun<<<1, Table.Block[2 * second]>>>();
}

// Outside of functions.
static int First = (outside<<<1, 32>>>(), 0);
