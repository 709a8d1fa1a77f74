// RUN: %cuda-opt --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt %s -- %cuda-flags | grep -v '//' | FileCheck %s
//
// The cheapest layout in wavefronts, then in memory, then in edits.

#include "cuda.h"

// At equal wavefronts padding wins: one edit, and no instruction more.
// PLAN-LABEL: plan square
// PLAN-NEXT: layout tile [32][32] -> [32][33]: wavefronts 1056 -> 64, bound 64
// CHECK-LABEL: void square(
// CHECK: __shared__ float tile[32][32 + 1];
// CHECK: Out[0] = tile[threadIdx.x][threadIdx.y];
__global__ void square(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[0];
  __syncthreads();
  Out[0] = tile[threadIdx.x][threadIdx.y];
}
void launchSquare(float *Out, float *In) { square<<<1, dim3(32, 32)>>>(Out, In); }

// Where padding would cost a block on the multiprocessor, a permutation of each
// row costs no memory.
// PLAN-LABEL: plan full
// PLAN-NEXT: layout tile [89][128] -> [89][128] c ^ (r & 31): wavefronts 32 -> 1, bound 1
// CHECK-LABEL: void full(
// CHECK: __shared__ float tile[89][128];
// CHECK: tile[threadIdx.x][0 ^ (threadIdx.x & 31)] = 0;
__global__ void full() {
  __shared__ float tile[89][128];
  tile[threadIdx.x][0] = 0;
}
void launchFull() { full<<<1, 32>>>(); }

// Only padding separates the rows of NW's diagonal (17 is odd, the stride 16).
// PLAN-LABEL: plan diagonal
// PLAN-NEXT: layout temp [17][17] -> [17][18]: wavefronts
// CHECK-LABEL: void diagonal(
// CHECK: __shared__ int temp[17][17 + 1];
__global__ void diagonal() {
  __shared__ int temp[17][17];
  for (int M = 0; M < 16; M++)
    if (threadIdx.x <= M)
      temp[threadIdx.x + 1][M - threadIdx.x + 1] = 0;
}
void launchDiagonal() { diagonal<<<1, 16>>>(); }

// Rows of a linear array that its author spelled out.
// PLAN-LABEL: plan linear
// PLAN-NEXT: layout line [256] -> [286] pitch 18: wavefronts 64 -> 8, bound 8
// CHECK-LABEL: void linear(
// CHECK: __shared__ float line[Width * Width + 30];
// CHECK: line[threadIdx.x * (Width + 2) + threadIdx.y] = 0;
constexpr int Width = 16;
__global__ void linear() {
  __shared__ float line[Width * Width];
  line[threadIdx.x * Width + threadIdx.y] = 0;
}
void launchLinear() { linear<<<1, dim3(16, 16)>>>(); }

// A macro writes the accesses: the declaration alone changes.
// PLAN-LABEL: plan macros
// PLAN-NEXT: layout tile [32][32] -> [32][33]: wavefronts 33 -> 2, bound 2
// CHECK-LABEL: void macros(
// CHECK: __shared__ float tile[N][N + 1];
#define N 32
#define AT(R, C) tile[R][C]
__global__ void macros() {
  __shared__ float tile[N][N];
  AT(threadIdx.x, 0) = 0;
  AT(0, threadIdx.x) = 0;
}
void launchMacros() { macros<<<1, 32>>>(); }

// One text for all instances of a template.
// PLAN-LABEL: plan instances
// PLAN-NEXT: layout tile {{.*}} -> {{.*}}: wavefronts 40 -> 2, bound 2
// CHECK-LABEL: void instances(
template <int Size> __global__ void instances() {
  __shared__ float tile[Size][Size];
  tile[threadIdx.x][0] = 0;
}
void launchInstances() {
  instances<16><<<1, 16>>>();
  instances<32><<<1, 32>>>();
}

// Elements of one, two and sixteen bytes.
// PLAN-LABEL: plan widths
// PLAN-NEXT: layout bytes [32][32] -> [32]
// PLAN-NEXT: layout halves [32][32] -> [32]
// PLAN-NEXT: layout quads [16][16] -> [16][17]
__global__ void widths(float4 *Out) {
  __shared__ unsigned char bytes[32][32];
  __shared__ short halves[32][32];
  __shared__ float4 quads[16][16];
  bytes[threadIdx.x][threadIdx.y] = 0;
  halves[threadIdx.x][threadIdx.y] = 0;
  if (threadIdx.x < 16 && threadIdx.y < 16)
    Out[0] = quads[threadIdx.x][threadIdx.y];
}
void launchWidths(float4 *Out) { widths<<<1, dim3(32, 32)>>>(Out); }

// Data-dependent subscripts are no obstacle to a linear array: the layout acts
// on the number.
// PLAN-LABEL: plan gather
// PLAN-NEXT: layout line [1024] ->
// CHECK-LABEL: void gather(
// CHECK: line[threadIdx.x * (32 + 1)] = 0;
// CHECK: Out[0] = line[At + At / {{.*}}];
__global__ void gather(int *Index, float *Out) {
  __shared__ float line[1024];
  line[threadIdx.x * 32] = 0;
  int At = Index[0];
  Out[0] = line[At];
}
void launchGather(int *Index, float *Out) { gather<<<1, 32>>>(Index, Out); }
