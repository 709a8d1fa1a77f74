// RUN: %cuda-opt --print=model --assume-closed-world %s -- %cuda-flags \
// RUN:   -std=c++17 | FileCheck %s
//
// Functions that compute the numbers of a launch are followed, and so are those
// that change variables through references; what cannot be seen may change what
// it was given.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

bool test();
int number();
void unseen(int *);
void unseen(const int &);
extern "C" void *memcpy(void *, const void *, size_t);

static int divideUp(int a, int b) { return (a + b - 1) / b; }
static dim3 shape(int n) { return n > 32 ? dim3(32, n / 32) : dim3(n); }
static void twice(int &n) { n *= 2; }
static int next(int &n) { return n *= 2; }

// CHECK-LABEL: kernel byHelper
// CHECK-NEXT: block 32x4x1 (launch) grid 8x1x1
KERNEL(byHelper)
void launchByHelper() {
  int n = 1000;
  byHelper<<<divideUp(n, 128), shape(128)>>>();
}

// CHECK-LABEL: kernel byReference
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(byReference)
void launchByReference() {
  int n = 32;
  twice(n);
  byReference<<<1, n>>>();
}

// CHECK-LABEL: kernel byUnseen
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(byUnseen)
void launchByUnseen() {
  int n = 32;
  unseen(&n);
  byUnseen<<<1, n>>>();
}

// A reference to a constant may be cast.
// CHECK-LABEL: kernel byCast
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(byCast)
void launchByCast() {
  int n = 32;
  unseen(n);
  byCast<<<1, n>>>();
}

// CHECK-LABEL: kernel byRecursion
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(byRecursion)
static int fibonacci(int n) {
  return n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2);
}
void launchByRecursion() { byRecursion<<<1, fibonacci(7)>>>(); }

// CHECK-LABEL: kernel byRecursionWithReference
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(byRecursionWithReference)
static void count(int &n) {
  if (test()) {
    ++n;
    count(n);
  }
}
void launchByRecursionWithReference() {
  int n = 32;
  count(n);
  byRecursionWithReference<<<1, n>>>();
}

// C++ does not say which argument is evaluated first.
// CHECK-LABEL: kernel inAnyOrder
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(inAnyOrder)
void launchInAnyOrder() {
  int n = 32;
  inAnyOrder<<<next(n), n>>>();
}

// CHECK-LABEL: kernel lambdaInAnyOrder
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(lambdaInAnyOrder)
void launchLambdaInAnyOrder() {
  int n = 32;
  auto next = [&] { return n *= 2; };
  lambdaInAnyOrder<<<next(), n>>>();
}

// CHECK-LABEL: kernel inOneOrder
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(inOneOrder)
void launchInOneOrder() {
  int n = 32;
  inOneOrder<<<2, next(n)>>>();
}

struct Stream {
  cudaStream_t handle;
  void launch();
};
// What computes the grid need not be seen for the block to be known.
// CHECK-LABEL: kernel besideUnseen
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(besideUnseen)
void Stream::launch() { besideUnseen<<<number(), 64, 0, handle>>>(); }

static int first(int a, int) { return a; }
// CHECK-LABEL: kernel argumentsInAnyOrder
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(argumentsInAnyOrder)
void launchArgumentsInAnyOrder() {
  int n = 32;
  int m = first(n, n = 64);
  argumentsInAnyOrder<<<1, m>>>();
}

// Another file may define it, too.
__attribute__((weak)) int weak() { return 32; }
// CHECK-LABEL: kernel byWeak
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(byWeak)
void launchByWeak() { byWeak<<<1, weak()>>>(); }

// CHECK-LABEL: kernel atDestruction
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(atDestruction)
struct Restore {
  int &n;
  ~Restore();
};
void launchAtDestruction() {
  int n = 32;
  { Restore restore{n}; }
  atDestruction<<<1, n>>>();
}

// CHECK-LABEL: kernel byVirtual
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(byVirtual)
struct Base {
  virtual int threads() const { return 32; }
};
void launchByVirtual(const Base &base) { byVirtual<<<1, base.threads()>>>(); }

// CHECK-LABEL: kernel byBytes
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(byBytes)
void launchByBytes(const void *bytes) {
  dim3 block(32);
  memcpy(&block, bytes, sizeof(block));
  byBytes<<<1, block>>>();
}

// CHECK-LABEL: kernel copied
// CHECK-NEXT: block 32x2x1 (launch)
KERNEL(copied)
void launchCopied() {
  dim3 block(32, 2);
  dim3 copy = block;
  block.x = number();
  copied<<<1, copy>>>();
}

// CHECK-LABEL: kernel alias
// CHECK-NEXT: block 64x2x3 (launch)
KERNEL(alias)
void launchAlias() {
  dim3 block(32, 2);
  dim3 &r = block;
  dim3 *p = &block;
  r.x *= 2;
  p->z = 3;
  alias<<<1, block>>>();
}

// CHECK-LABEL: kernel perhapsAlias
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(perhapsAlias)
void launchPerhapsAlias() {
  dim3 block(32, 2), other;
  dim3 *p = test() ? &block : &other;
  p->x = 64;
  perhapsAlias<<<1, block>>>();
}

struct Config {
  dim3 grid, block = dim3(8, 8);
  size_t bytes = 4 * sizeof(float);
  dim3 getBlock() const { return block; }
};
// CHECK-LABEL: kernel ofConfig
// CHECK-NEXT: block 8x16x1 (launch) grid 4x1x1
KERNEL(ofConfig)
void launchOfConfig() {
  Config config;
  config.grid = 4;
  config.block.y *= 2;
  ofConfig<<<config.grid, config.getBlock(), config.bytes>>>();
}

struct Solver {
  dim3 block = dim3(8, 8);
  void launch();
};
// Another member function may have changed it.
// CHECK-LABEL: kernel ofMember
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofMember)
void Solver::launch() { ofMember<<<1, block>>>(); }

// CHECK-LABEL: kernel ofArgument
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(ofArgument)
static void launchOfArgument(dim3 block, int n = 64) {
  ofArgument<<<n, block>>>();
}
void callOfArgument() { launchOfArgument(32); }

// CHECK-LABEL: kernel byRuntime
// CHECK-NEXT: block 32x2x1 (launch) grid 3x1x1
KERNEL(byRuntime)
void launchByRuntime() {
  dim3 block(32);
  block.y = 2;
  cudaLaunchKernel((const void *)byRuntime, 3, block, nullptr, 0, 0);
}

#define LAUNCH(KERNEL, BLOCK)                                                  \
  do {                                                                         \
    int threads = (BLOCK);                                                     \
    KERNEL<<<1, threads>>>();                                                  \
  } while (0)
// CHECK-LABEL: kernel ofMacro
// CHECK-NEXT: block 32x1x1 (launch)
// CHECK: block 64x1x1 (launch)
KERNEL(ofMacro)
void launchOfMacro() {
  LAUNCH(ofMacro, 32);
  LAUNCH(ofMacro, 64);
}
