// RUN: %cuda-opt --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=CLOSED
//
// Another file may launch these kernels with blocks in which several threads have
// one element. They write to it one after the other, by other means than barriers,
// and each then finds what the last one wrote: the array stays.
#include "cuda.h"

__device__ void __threadfence();

// CHECK-LABEL: plan tickets
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan tickets
// CLOSED: private s
__global__ void tickets(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  while (atomicAdd(&turn[t], 0) < z)
    ;
  __threadfence();
  s[t] = 100 + z;
  __threadfence();
  atomicAdd(&turn[t], 1);
  __syncthreads();
  out[t + 64 * z] = s[t];
}

__device__ void take(int *turn) {
  while (atomicCAS(turn, 0, 1))
    ;
}
// CHECK-LABEL: plan lock
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan lock
// CLOSED: private s
__global__ void lock(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  take(turn);
  s[t] = 100 + z;
  atomicCAS(turn, 1, 0);
  __syncthreads();
  out[t + 64 * z] = s[t];
}

// CHECK-LABEL: plan volatileTurn
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan volatileTurn
// CLOSED: private s
__global__ void volatileTurn(int *out, volatile int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  while (turn[t] < z)
    ;
  s[t] = 100 + z;
  turn[t] += 1;
  __syncthreads();
  out[t + 64 * z] = s[t];
}

// CHECK-LABEL: plan warpBarrier
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan warpBarrier
// CLOSED: private s
__global__ void warpBarrier(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  if (z == 0)
    __syncwarp();
  s[t] = 100 + z;
  if (z == 1)
    __syncwarp();
  __syncthreads();
  out[t + 64 * z] = s[t];
}

// CHECK-LABEL: plan shuffle
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan shuffle
// CLOSED: private s
__global__ void shuffle(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  float v = 1;
  if (z == 0)
    v = __shfl_sync(~0u, v, 1);
  s[t] = 100 + z;
  if (z == 1)
    v = __shfl_sync(~0u, v, 1);
  __syncthreads();
  out[t + 64 * z] = s[t] + (int)v;
}

// CHECK-LABEL: plan namedBarrier
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan namedBarrier
__global__ void namedBarrier(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  if (z == 0)
    asm volatile("barrier.sync 1;");
  s[t] = 100 + z;
  if (z == 1)
    asm volatile("barrier.sync 1;");
  __syncthreads();
  out[t + 64 * z] = s[t];
}

__device__ void waitForTurn(int *turn);
// CHECK-LABEL: plan unknown
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan unknown
__global__ void unknown(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  waitForTurn(turn);
  s[t] = 100 + z;
  __syncthreads();
  out[t + 64 * z] = s[t];
}

struct Guard {
  int *Turn;
  __device__ Guard(int *turn) : Turn(turn) { take(turn); }
};
// CHECK-LABEL: plan constructed
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan constructed
__global__ void constructed(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  Guard guard(turn);
  s[t] = 100 + z;
  atomicCAS(turn, 1, 0);
  __syncthreads();
  out[t + 64 * z] = s[t];
}

// All threads pass as many barriers, each at places of its own.
// CHECK-LABEL: plan otherBarriers
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan otherBarriers
// CLOSED: private s
__device__ void meet() { __syncthreads(); }
__global__ void otherBarriers(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  if (z)
    meet();
  s[t] = 100 + z;
  meet();
  meet();
  if (!z)
    meet();
  out[t + 64 * z] = s[t];
}

// How often they meet may differ.
// CHECK-LABEL: plan moreBarriers
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan moreBarriers
// CLOSED: private s
__global__ void moreBarriers(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  for (int i = 0; i < turn[z]; ++i)
    __syncthreads();
  s[t] = 100 + z;
  __syncthreads();
  out[t + 64 * z] = s[t];
}

// Threads with one element would race, whatever else they are told apart by.
// CHECK-LABEL: plan races
// CHECK: private s
// CHECK: storage{{.*}}; closed-world
__device__ float scale(float v) { return v < 0 ? __builtin_sqrtf(-v) : v; }
__global__ void races(int *out, int *turn) {
  __shared__ int s[64];
  int t = threadIdx.x, z = threadIdx.z;
  auto twice = [](float v) { return 2 * v; };
  union {
    int i;
    float f;
  } u;
  u.f = twice(scale(z));
  s[t] = z + __builtin_popcount(t) + (int)(long long)turn;
  __syncthreads();
  out[t + 64 * z] = s[t] + u.i;
}

void launch(int *out, int *turn) {
  tickets<<<1, 64>>>(out, turn);
  lock<<<1, 64>>>(out, turn);
  volatileTurn<<<1, 64>>>(out, turn);
  warpBarrier<<<1, 64>>>(out, turn);
  shuffle<<<1, 64>>>(out, turn);
  namedBarrier<<<1, 64>>>(out, turn);
  unknown<<<1, 64>>>(out, turn);
  constructed<<<1, 64>>>(out, turn);
  otherBarriers<<<1, 64>>>(out, turn);
  moreBarriers<<<1, 64>>>(out, turn);
  races<<<1, 64>>>(out, turn);
}
