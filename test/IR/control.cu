// RUN: %cuda-opt --print=ir %s -- %cuda-flags | FileCheck %s
//
// Loops, switches, jumps, and ways out.

#include "cuda.h"

// CHECK-LABEL: kernel endless
// CHECK: B1: loop
// CHECK: jump B1, virtual exit
__global__ void endless(int *p) {
  for (;;)
    *p = 1;
}

// The only way out of the loop is `break`.
// CHECK-LABEL: kernel broken
// CHECK: loop
// CHECK: branch %{{[0-9]+}} > 9,
// CHECK-NOT: virtual
// CHECK: leave
__global__ void broken(int *p) {
  while (true) {
    if (*p > 9)
      break;
    ++*p;
  }
}

// CHECK-LABEL: kernel twice
// CHECK: [[OUTER:B[0-9]+]]: loop ; [[@LINE+4]]:3
// CHECK: %1 = phi s32 [{{.*}}: 0]
// CHECK: {{B[0-9]+}}: loop ; [[@LINE+3]]:5
__global__ void twice(float *p, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      p[i * n + j] = 0;
}

// CHECK-LABEL: kernel cases
// CHECK: switch %n, 1: B1, 2 ... 5: B2, B3
// A case falls through to the next.
// CHECK: B1:
// CHECK-NEXT: store s32 [@*p], 1
// CHECK-NEXT: jump B2
__global__ void cases(int *p, int n) {
  switch (n) {
  case 1:
    *p = 1;
  case 2 ... 5:
    p[1] = 2;
    break;
  default:
    p[2] = 3;
  }
}

// CHECK-LABEL: kernel jumps
// CHECK: B1: loop{{$}}
// CHECK: branch (%1 + 1) < %n, B2, B3
__global__ void jumps(int *p, int n) {
  int i = 0;
again:
  p[i] = i;
  if (++i < n)
    goto again;
}

// What never runs is not there.
// CHECK-LABEL: kernel folded
// CHECK: B0:
// CHECK-NEXT: store s32 [@*p], 2
// CHECK-NEXT: leave
__global__ void folded(int *p) {
  if (sizeof(int) == 8)
    *p = 1;
  else
    *p = 2;
}

// An early return of one thread is a way around the barrier.
// CHECK-LABEL: kernel early
// CHECK: branch s32(threadIdx.x) >= %n, [[OUT:B[0-9]+]], [[IN:B[0-9]+]]
// CHECK: [[IN]]:
// CHECK-NEXT: barrier block __syncthreads()
__global__ void early(int *p, int n) {
  if (static_cast<int>(threadIdx.x) >= n)
    return;
  __syncthreads();
  *p = 0;
}

// CHECK-LABEL: kernel trapped
// A trap is the end of the whole grid.
// CHECK: opaque device __builtin_trap()
// CHECK-NEXT: leave
// CHECK: store
__global__ void trapped(int *p) {
  if (*p)
    __builtin_trap();
  *p = 1;
}

// No run comes to what is behind it, and none leaves there.
// CHECK-LABEL: kernel never
// CHECK: branch %n < 0, [[NEVER:B[0-9]+]], [[ELSE:B[0-9]+]]
// CHECK: [[NEVER]]:
// CHECK-NEXT: jump [[LOOP:B[0-9]+]]
// CHECK: [[LOOP]]: loop
// CHECK-NEXT: jump [[LOOP]], virtual exit
// CHECK: [[ELSE]]:
// CHECK-NEXT: store
__global__ void never(int *p, int n) {
  if (n < 0)
    __builtin_unreachable();
  *p = 1;
}

enum class Way { Left, Right };
// A switch over all enumerators may be left without a case.
// CHECK-LABEL: kernel covered
// CHECK: switch %w, 0: B1, 1: B2, B3
// CHECK: B3:
// CHECK-NEXT: store s32 [@*p + 8], 5
__global__ void covered(int *p, Way w) {
  switch (w) {
  case Way::Left:
    p[0] = 1;
    return;
  case Way::Right:
    p[1] = 1;
    return;
  }
  p[2] = 5;
}

// The label behind a switch may be one of the switch around it.
// CHECK-LABEL: kernel around
// CHECK: switch %a, 1: [[INNER:B[0-9]+]], 2: [[BEHIND:B[0-9]+]], B{{[0-9]+}}
// CHECK: switch %b, 5: B{{[0-9]+}}, [[BEHIND]]
__global__ void around(int *p, int a, int b) {
  switch (a) {
  case 1:
    switch (b) {
    case 5:
      p[0] = 1;
    }
  case 2:
    p[1] = 2;
  }
}

// An expression that the graph does not hold joins no ways that are not its own.
// CHECK-LABEL: kernel argument
// CHECK: opaque ways that join(
__device__ int first, second;
__device__ int both(int a = first && second) { return a; }
__global__ void argument(int *p) { *p = both(); }
