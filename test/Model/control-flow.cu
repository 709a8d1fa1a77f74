// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// Locals are followed through assignments, branches and loops; what a loop or
// another thread may change is unknown.

#include "cuda.h"

// CHECK-LABEL: kernel twoBranches
// CHECK: write 4 bytes {{.*}} -> line[
// CHECK-NOT: opaque
__global__ void twoBranches() {
  __shared__ float line[64];
  int Index;
  if (threadIdx.x < 32)
    Index = threadIdx.x;
  else
    Index = 95 - threadIdx.x;
  line[Index] = 0;
}
void launchTwoBranches() { twoBranches<<<1, 64>>>(); }

// A halving loop has one entry an iteration.
// CHECK-LABEL: kernel halving
// CHECK: read 4 bytes {{.*}} -> line[
// CHECK-NOT: opaque
__global__ void halving() {
  __shared__ float line[64];
  for (int S = blockDim.x / 2; S > 0; S >>= 1) {
    if (threadIdx.x < S)
      line[threadIdx.x] += line[threadIdx.x + S];
    __syncthreads();
  }
}
void launchHalving() { halving<<<1, 64>>>(); }

// What the body of a loop assigns is unknown at its start.
// CHECK-LABEL: kernel carried
// CHECK: write 4 bytes {{.*}}: line opaque
__global__ void carried(const int *Next) {
  __shared__ float line[64];
  int Index = 0;
  for (int I = 0; I < 4; ++I) {
    line[Index] = 0;
    Index = Next[I];
  }
}
void launchCarried(int *Next) { carried<<<1, 32>>>(Next); }

// A step that `continue` can skip does not count iterations.
// CHECK-LABEL: kernel skipped
// CHECK: write 4 bytes {{.*}}: line opaque
__global__ void skipped(const int *Flags) {
  __shared__ float line[64];
  int I = 0;
  while (I < 32) {
    line[I] = 0;
    if (Flags[threadIdx.x])
      continue;
    ++I;
  }
}
void launchSkipped(int *Flags) { skipped<<<1, 32>>>(Flags); }

// A variable whose address is taken may change at any time.
// CHECK-LABEL: kernel addressed
// CHECK: write 4 bytes {{.*}}: line opaque
__device__ void change(int *Index);
__global__ void addressed() {
  __shared__ float line[64];
  int Index = 0;
  change(&Index);
  line[Index] = 0;
}
void launchAddressed() { addressed<<<1, 32>>>(); }

// After an early return only the other threads go on.
// CHECK-LABEL: kernel earlyReturn
// CHECK: write 4 bytes {{.*}}t0 <= 31
// CHECK-NOT: bounds not proved
__global__ void earlyReturn() {
  __shared__ float box[2][32];
  if (threadIdx.x >= 32)
    return;
  box[0][threadIdx.x] = 0;
}
void launchEarlyReturn() { earlyReturn<<<1, 64>>>(); }

// The second operand of && is evaluated under the first.
// CHECK-LABEL: kernel shortCircuit
// CHECK: read 4 bytes
// CHECK-NOT: bounds not proved
__global__ void shortCircuit(float *Out) {
  __shared__ float box[2][32];
  if (threadIdx.x > 0 && box[0][threadIdx.x - 1] > 0)
    *Out = 0;
}
void launchShortCircuit(float *Out) { shortCircuit<<<1, 32>>>(Out); }
