// RUN: %cuda-opt --print=model %s -- %cuda-flags -Wno-unsequenced | FileCheck %s
//
// Calls with visible bodies are entered: each makes accesses of its own, with
// what it hands over.

#include "cuda.h"

// The parameter names the array; the barrier before it counts.
__device__ void storeColumn(float (*Tile)[32], float *Out, int Stride) {
  Out[threadIdx.x] = Tile[threadIdx.x * Stride][threadIdx.y];
}
// CHECK-LABEL: kernel passesTile
// CHECK-NOT: blocked
// CHECK: write 4 bytes line [[#@LINE+4]] interval 0: {{.*}} -> tile[t1, t0]
// CHECK: read 4 bytes line [[#@LINE-5]] in storeColumn interval 1: {{.*}} -> tile[t0, t1]
__global__ void passesTile(float *Out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = Out[threadIdx.x];
  __syncthreads();
  storeColumn(&tile[0], Out, 1);
}

// A barrier in the callee, a parameter handed on, and one of each kind.
__device__ void write(volatile float *Line, int At) { Line[At] = 1; }
__device__ float exchange(float *Line, float (&Same)[64], int At) {
  write(Line, At);
  __syncthreads();
  return Same[63 - At];
}
// CHECK-LABEL: kernel passesLine
// CHECK-NOT: blocked
// CHECK: 2 barriers
// CHECK: write 4 bytes line [[#@LINE-9]] in write interval 0: {{.*}} -> line[2t0]
// CHECK: read 4 bytes line [[#@LINE-6]] in exchange interval 1: {{.*}} -> line[63 - 2t0]
// CHECK: write 4 bytes line [[#@LINE+6]] interval 2
__global__ void passesLine(float *Out) {
  __shared__ float line[64];
  int Twice = threadIdx.x * 2;
  Out[0] = exchange(line, line, Twice);
  __syncthreads();
  line[0] = Out[1];
}

// An early return ends the callee, not the kernel: what follows in there is
// guarded, what follows the call is not.
__device__ void halfOf(float *Half) {
  if (threadIdx.x >= 16)
    return;
  Half[threadIdx.x] = 0;
}
// CHECK-LABEL: kernel returnsEarly
// CHECK: in halfOf {{.*}} -> half[t0] : {{.*}}0 <= t0 <= 15 }
// CHECK-NEXT: write {{.*}} -> half[32 + t0] : {{.*}}0 <= t0 <= 31 }
__global__ void returnsEarly() {
  __shared__ float half[64];
  halfOf(half);
  half[threadIdx.x + 32] = 0;
}

// A single return at the end has a value, also of a local; two have none.
__device__ int one(float *Row, int I) {
  Row[I] = 0;
  int Result = I * 2;
  Result += 1;
  return Result;
}
__device__ int two(float *Row, int I) {
  Row[I] = 0;
  if (I < 3)
    return 1;
  return I;
}
// CHECK-LABEL: kernel returnsValue
// CHECK: in one
// CHECK-NEXT: in two
// CHECK-NEXT: -> value[1 + 2t0]
// CHECK-NEXT: -> value[1] : 0 <= t0 <= 2; {{.*}} -> value[t0] : 3 <= t0
__global__ void returnsValue() {
  __shared__ float value[64];
  int A = one(value, threadIdx.x), B = two(value, threadIdx.x);
  value[A] = 0;
  value[B] = 0;
}

// An integer that goes by reference is followed; one that another argument
// changes has no value, in the call and behind it.
__device__ void bump(float *Row, int &By) { Row[By++] = 0; }
__device__ void both(float *Row, int A, int B) { Row[A] = 0; }
// CHECK-LABEL: kernel changesArguments
// CHECK: in bump {{.*}} -> changed[t0]
// CHECK-NEXT: line [[#@LINE+7]] {{.*}} -> changed[1 + t0]
// CHECK-NEXT: in a copy of both {{.*}} opaque
__global__ void changesArguments() {
  __shared__ float changed[64];
  int I = threadIdx.x;
  int J = threadIdx.x;
  bump(changed, I);
  changed[I] = 0;
  both(changed, J, J++);
  both(changed, J, 0);
}

// Locals of the callee start anew in every call.
__device__ void fresh(float *Row, bool First) {
  int I;
  if (First)
    I = 1;
  Row[I] = 0;
}
// CHECK-LABEL: kernel callsTwice
// CHECK: in fresh {{.*}} opaque
// CHECK-NEXT: in fresh {{.*}} opaque
__global__ void callsTwice(bool B) {
  __shared__ float twice[64];
  fresh(twice, B);
  fresh(twice, B);
}

// A loop around the call, and one in the callee.
__device__ void fill(float *Row, int Count, int Step) {
  for (int I = 0; I < Count; I += Step)
    Row[I] = 0;
}
// CHECK-LABEL: kernel callsInLoop
// CHECK: in fill {{.*}} -> filled[4i1] : {{.*}} 0 <= i0 <= 1 and 0 <= i1 <= 7
__global__ void callsInLoop() {
  __shared__ float filled[64];
  for (int J = 1; J < 3; ++J)
    fill(filled, 32, 4);
}

void launch(float *F) {
  passesTile<<<1, dim3(32, 8)>>>(F);
  passesLine<<<1, 32>>>(F);
  returnsEarly<<<1, 32>>>();
  returnsValue<<<1, 32>>>();
  changesArguments<<<1, 32>>>();
  callsTwice<<<1, 32>>>(true);
  callsInLoop<<<1, 32>>>();
}
