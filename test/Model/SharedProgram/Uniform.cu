// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// Which threads come to a barrier together: by values and control, whatever the
// statements are.

#include "cuda.h"
#include "cuda/groups.cuh"

// CHECK-LABEL: kernel flat
// CHECK-NOT: refused
// CHECK: barrier line [[@LINE+4]]
__global__ void flat(float *Out) {
  __shared__ float A[32];
  if (threadIdx.y == 0)
    __syncthreads();
  Out[0] = A[0];
}

// CHECK-LABEL: kernel notFlat
// CHECK: steps refused (divergent-barrier)
__global__ void notFlat(float *Out) {
  __shared__ float A[32];
  if (threadIdx.y == 0)
    __syncthreads();
  Out[0] = A[0];
}

// Threads that leave are missed by nobody, and those that stay are together.
// CHECK-LABEL: kernel leavesFirst
// CHECK: work line [[@LINE+5]] may leave may follow barrier
// CHECK: work line [[@LINE+7]] depth 1 weight 8.00 may follow barrier
__global__ void leavesFirst(float *Out, int N) {
  __shared__ float A[64];
  int I = 0;
  if (threadIdx.x >= N)
    return;
  for (; I < 8; ++I) {
    A[threadIdx.x] = I;
    __syncthreads();
  }
  Out[0] = A[0];
}

// CHECK-LABEL: kernel breaks
// CHECK: steps refused (divergent-barrier)
__global__ void breaks(float *Out) {
  __shared__ float A[32];
  for (int I = 0; I < 8; ++I) {
    if (I == threadIdx.x)
      break;
    __syncthreads();
  }
  __syncthreads();
  Out[0] = A[0];
}

// Without a barrier ahead, a break is like a return; but who breaks comes early.
// CHECK-LABEL: kernel breaksToEnd
// CHECK: work line [[@LINE+6]] depth 1 weight 8.00 may follow barrier
// CHECK: barrier line [[@LINE+7]] depth 1
// CHECK: work line [[@LINE+8]] may leave ->
__global__ void breaksToEnd(float *Out) {
  __shared__ float A[32];
  for (int I = 0; I < 8; ++I) {
    if (I == threadIdx.x)
      break;
    __syncthreads();
  }
  Out[0] = A[0];
}

// CHECK-LABEL: kernel continues
// CHECK: steps refused (divergent-barrier)
__global__ void continues(float *Out) {
  __shared__ float A[32];
  for (int I = 0; I < 8; ++I) {
    if (I == threadIdx.x)
      continue;
    __syncthreads();
  }
  Out[0] = A[0];
}

// Those that return from a function only skip its barrier.
__device__ void skips(float *A, int N) {
  if (threadIdx.x < 8)
    return;
  __syncthreads();
}
// CHECK-LABEL: kernel skipsInCallee
// CHECK: steps refused (divergent-barrier)
__global__ void skipsInCallee(float *Out, int N) {
  __shared__ float A[32];
  skips(A, N);
  __syncthreads();
  Out[0] = A[0];
}

// All of the block vote.
// CHECK-LABEL: kernel votes
// CHECK-NOT: refused
// CHECK: work line [[@LINE+5]] depth 1 weight 64.00 ->
// CHECK-NEXT: writes A: may all must all
__global__ void votes(float *Out) {
  __shared__ float A[64];
  float Mine = Out[threadIdx.x];
  do {
    A[threadIdx.x] = Mine;
    Mine /= 2;
  } while (__syncthreads_or(Mine > 1));
  Out[0] = A[0];
}

// CHECK-LABEL: kernel inUniformSwitch
// CHECK-NOT: refused
// CHECK: barrier line [[@LINE+6]] may follow barrier
__global__ void inUniformSwitch(float *Out, int N) {
  __shared__ float A[32];
  switch (N) {
  case 1:
    A[threadIdx.x] = 1;
    __syncthreads();
    break;
  default:
    A[0] = 2;
  }
  Out[0] = A[0];
}

// CHECK-LABEL: kernel inDivergentSwitch
// CHECK: steps refused (divergent-barrier)
__global__ void inDivergentSwitch(float *Out) {
  __shared__ float A[32];
  switch (threadIdx.x) {
  case 1:
    __syncthreads();
  }
  Out[0] = A[0];
}

// CHECK-LABEL: kernel jumpsBack
// CHECK-NOT: refused
// CHECK: barrier line [[@LINE+6]] depth 1
__global__ void jumpsBack(float *Out, int N) {
  __shared__ float A[32];
again:
  A[threadIdx.x] = N;
  // A jump to the label goes round what is written in front of that.
  __syncthreads();
  if (--N)
    goto again;
  Out[0] = A[0];
}

// CHECK-LABEL: kernel jumpsOver
// CHECK: steps refused (divergent-barrier)
__global__ void jumpsOver(float *Out) {
  __shared__ float A[32];
  if (threadIdx.x)
    goto behind;
  __syncthreads();
behind:
  Out[0] = A[0];
  __syncthreads();
}

// CHECK-LABEL: kernel shortCircuit
// CHECK: steps refused (divergent-barrier)
__global__ void shortCircuit(float *Out) {
  __shared__ float A[32];
  threadIdx.x && __syncthreads_or(1);
  Out[0] = A[0];
}

// CHECK-LABEL: kernel inAssembly
// CHECK: steps refused (divergent-barrier)
__global__ void inAssembly(float *Out) {
  __shared__ float A[32];
  if (threadIdx.x < 7)
    asm volatile("bar.sync 0;");
  Out[0] = A[0];
}

// A flag may differ; that it does not is what the barrier itself demands.
// CHECK-LABEL: kernel byFlag
// CHECK-NOT: refused
// CHECK: work line [[@LINE+7]] depth 1 weight 64.00 ->
__global__ void byFlag(float *Out) {
  __shared__ float A[32];
  __shared__ volatile int Flag;
  Flag = 1;
  __syncthreads();
  while (Flag) {
    A[threadIdx.x] = 2;
    __syncthreads();
  }
  Out[0] = A[0];
}

// CHECK-LABEL: kernel inLambda
// CHECK-NOT: refused
// CHECK: writes A
// CHECK: barrier line [[@LINE+4]]
// CHECK: reads A
__global__ void inLambda(float *Out, int N) {
  __shared__ float A[32];
  auto Sync = [&] { __syncthreads(); };
  A[threadIdx.x] = N;
  Sync();
  Out[0] = A[0];
}

struct Waits {
  __device__ Waits() { __syncthreads(); }
};
// CHECK-LABEL: kernel inConstructor
// CHECK: writes A
// CHECK: work line [[@LINE+6]] may follow barrier
// CHECK: barrier line [[@LINE-5]]
// CHECK: reads A
__global__ void inConstructor(float *Out, int N) {
  __shared__ float A[32];
  A[threadIdx.x] = N;
  Waits W;
  Out[0] = A[0];
}

// The barrier may be skipped; what stands beside it may be on either side.
// CHECK-LABEL: kernel inExpression
// CHECK: step [[#WORK:]] work line [[@LINE+5]] ->
// CHECK-NEXT: writes A: may all must none
// CHECK: step [[#WORK+1]] barrier line [[@LINE+3]] -> [[#WORK]]
__global__ void inExpression(int N) {
  __shared__ float A[32];
  A[0] = N && __syncthreads_or(N);
}

__device__ void twice(float *A, float *B) {
  A[threadIdx.x] = 1;
  __syncthreads();
  A[threadIdx.x ^ 1] = 2;
}
// Each call has its own barrier and its own uses.
// CHECK-LABEL: kernel calledTwice
// CHECK: writes A
// CHECK: barrier line [[@LINE-6]]
// CHECK: writes A
// CHECK: writes B
// CHECK: barrier line [[@LINE-9]]
// CHECK: writes B
__global__ void calledTwice(float *Out) {
  __shared__ float A[32], B[32];
  twice(A, B);
  twice(B, A);
  Out[0] = A[0] + B[0];
}

void host(float *A) {
  flat<<<1, 32>>>(A);
  notFlat<<<1, dim3(16, 2)>>>(A);
  leavesFirst<<<1, 64>>>(A, 3);
  votes<<<1, 64>>>(A);
}
