// RUN: %cuda-opt --print=model --assume-closed-world %s -- %cuda-flags \
// RUN:   -std=c++20 | FileCheck %s
//
// A host variable that is changed in other ways than by an assignment to its name
// has the changed value where a kernel is launched, or none.

#include "cuda.h"

#define KERNEL(NAME, ...)                                                      \
  __global__ void NAME(__VA_ARGS__) {                                          \
    __shared__ float line[64];                                                 \
    line[threadIdx.x & 63] = 0;                                                \
  }

extern "C" int scanf(const char *, ...);
extern "C" int setjmp(void *);
void *operator new(size_t, void *) noexcept;
void twice(int &N);
void fill(void *);
bool test();

// An argument of the kernel is not evaluated before the block.
// CHECK-LABEL: kernel changedByArgument
// CHECK-NEXT: block 1024x1x1 (launch)
KERNEL(changedByArgument, int)
void launchChangedByArgument() {
  int n = 1024;
  changedByArgument<<<1, n>>>(n = 32);
}

// Arguments of one call have no order.
// CHECK-LABEL: kernel changedByGrid
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(changedByGrid)
void launchChangedByGrid() {
  int n = 1024;
  changedByGrid<<<n = 32, n>>>();
}

// CHECK-LABEL: kernel assignedTwice
// CHECK-NEXT: block 1024x1x1 (launch)
KERNEL(assignedTwice)
void launchAssignedTwice() {
  int n;
  (n = 32) = 1024;
  assignedTwice<<<1, n>>>();
}

// CHECK-LABEL: kernel referenceToResult
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(referenceToResult)
void launchReferenceToResult() {
  int n;
  twice(n = 32);
  referenceToResult<<<1, n>>>();
}

// CHECK-LABEL: kernel memberOfResult
// CHECK-NEXT: block 1024x1x1 (launch)
KERNEL(memberOfResult)
void launchMemberOfResult() {
  dim3 block;
  (block = dim3(32)).x = 1024;
  memberOfResult<<<1, block>>>();
}

// CHECK-LABEL: kernel statementExpression
// CHECK-NEXT: block 1024x1x1 (launch)
KERNEL(statementExpression)
void launchStatementExpression() {
  int n = 32;
  int unused = ({ n = 1024; 0; });
  statementExpression<<<1, n + unused>>>();
}

// A case begins with what was there in front of the switch.
// CHECK-LABEL: kernel otherCase
// CHECK-NEXT: block 1024x1x1 (launch)
KERNEL(otherCase)
void launchOtherCase(int which) {
  int n = 1024;
  switch (which) {
  case 1:
    test();
    n = 32;
    break;
  case 2:
    otherCase<<<1, n>>>();
  }
}

// A handler begins with what any statement of the block left.
// CHECK-LABEL: kernel inHandler
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(inHandler)
void launchInHandler() {
  int n = 1024;
  try {
    test();
    n = 32;
  } catch (...) {
    inHandler<<<1, n>>>();
  }
}

// CHECK-LABEL: kernel returnsTwice
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(returnsTwice)
void launchReturnsTwice(void *buffer) {
  int n = 32;
  if (setjmp(buffer))
    n = 64;
  returnsTwice<<<1, n>>>();
}

// CHECK-LABEL: kernel isRead
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(isRead)
void launchRead() {
  int n = 32;
  scanf("%d", &n);
  isRead<<<1, n>>>();
}

// CHECK-LABEL: kernel placed
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(placed)
void launchPlaced() {
  int n = 32;
  new (&n) int(64);
  placed<<<1, n>>>();
}

// CHECK-LABEL: kernel castReference
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(castReference)
void launchCastReference() {
  int n = 32;
  (unsigned char &)n = 64;
  castReference<<<1, n>>>();
}

// CHECK-LABEL: kernel bound
// CHECK-NEXT: block 64x1x1 (launch)
KERNEL(bound)
void launchBound() {
  dim3 block(32);
  auto &[x, y, z] = block;
  x = 64;
  bound<<<1, block>>>();
}

// CHECK-LABEL: kernel chosen
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(chosen)
void launchChosen(bool b) {
  int n = 32, m = 32;
  (b ? n : m) = 64;
  chosen<<<1, n>>>();
}

// CHECK-LABEL: kernel assembled
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(assembled)
void launchAssembled() {
  int n = 32;
  asm("movl $64, %0" : "=m"(n));
  assembled<<<1, n>>>();
}

// CHECK-LABEL: kernel memberPointer
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(memberPointer)
void launchMemberPointer() {
  dim3 block(32);
  unsigned dim3::*p = &dim3::x;
  block.*p = 64;
  memberPointer<<<1, block>>>();
}

// CHECK-LABEL: kernel isVolatile
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(isVolatile)
void launchVolatile() {
  volatile int n = 32;
  isVolatile<<<1, n>>>();
}

// CHECK-LABEL: kernel inUnion
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(inUnion)
void launchInUnion() {
  union {
    int n;
    float f;
  } u;
  u.n = 32;
  u.f = 1;
  inUnion<<<1, u.n>>>();
}

// An own operator may change its right side.
struct Sink {
  Sink &operator=(int &N) {
    N = 1024;
    return *this;
  }
};
// CHECK-LABEL: kernel changedByOperator
// CHECK-NEXT: block 1024x1x1 (launch)
KERNEL(changedByOperator)
void launchChangedByOperator() {
  int n = 32;
  Sink sink;
  sink = n;
  changedByOperator<<<1, n>>>();
}

// A variable whose initialiser is no constant is zero first.
int getNumber();
namespace {
struct Order {
  static int First, Second;
};
int Seed = 32;
int Order::First = Order::Second;
int Order::Second = Seed;
} // namespace
// CHECK-LABEL: kernel beforeItsTime
// CHECK-NEXT: block of at most 1024 threads (unknown)
KERNEL(beforeItsTime)
void launchBeforeItsTime() { beforeItsTime<<<1, Order::First>>>(); }

// Another definition may take the place of a weak one.
// CHECK-LABEL: kernel isWeak
// CHECK-NEXT: block of at most 1024 threads (unknown)
__attribute__((weak)) extern const int Weak = 32;
KERNEL(isWeak)
void launchWeak() { isWeak<<<1, Weak>>>(); }

// What is left is followed.
// CHECK-LABEL: kernel followed
// CHECK-NEXT: block 64x3x1 (launch)
KERNEL(followed)
static dim3 Shape(32, 3);
void launchFollowed() {
  dim3 block = Shape;
  int n = 16, m;
  m = 2, n += 16;
  if (test())
    (void)(n *= 2);
  else
    n <<= 1;
  block.x = n;
  for (int i = 0; i < m; ++i)
    followed<<<1, block>>>();
}
