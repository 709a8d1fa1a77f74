// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout %s -- %cuda-flags | grep -v '//' | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --verify=machine -Rpass-missed %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PROVED --implicit-check-not=remark:
//
// The cheapest layout in wavefronts, then in memory, then in edits. The machine
// finds all of them equal.
//
// PROVED: 10 kernels, 12 arrays rewritten, 0 kept

#include "cuda.h"

// At equal wavefronts padding wins: one edit, and no instruction more.
// PLAN-LABEL: plan square
// PLAN-NEXT: layout tile [32][32] -> [32][33]: wavefronts 1056 -> 64, bound 64: bound reached
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
// PLAN-NEXT: layout tile [74][128] -> [74][128] c ^ (r & 31): wavefronts 33 -> 2, bound 2: bound reached
// CHECK-LABEL: void full(
// CHECK: __shared__ float tile[74][128];
// CHECK: tile[threadIdx.x][32 ^ (threadIdx.x & 31)] = 0;
// CHECK: tile[32][threadIdx.x] = 1;
__global__ void full() {
  __shared__ float tile[74][128];
  tile[threadIdx.x][32] = 0;
  tile[32][threadIdx.x] = 1;
}
void launchFull() { full<<<1, 32>>>(); }

// Only padding separates the rows of NW's diagonal (17 is odd, the stride 16).
// PLAN-LABEL: plan diagonal
// PLAN-NEXT: layout temp [17][17] -> [17][18]: wavefronts 72 -> 16, bound 16: bound reached
// CHECK-LABEL: void diagonal(
// CHECK: __shared__ int temp[17][17 + 1];
__global__ void diagonal() {
  __shared__ int temp[17][17];
  for (int M = 0; M < 16; M++)
    if (threadIdx.x <= M)
      temp[threadIdx.x + 1][M - threadIdx.x + 1] = 0;
}
void launchDiagonal() { diagonal<<<1, 16>>>(); }

// Who writes columns only has chosen the wrong order.
// PLAN-LABEL: plan columns
// PLAN-NEXT: layout tile [24][100] -> [24][100] transposed: wavefronts 3 -> 1, bound 1: bound reached
// CHECK-LABEL: void columns(
// CHECK: __shared__ float tile[100][24];
// CHECK: tile[threadIdx.y][threadIdx.x] = 0;
__global__ void columns() {
  __shared__ float tile[24][100];
  tile[threadIdx.x][threadIdx.y] = 0;
}
void launchColumns() { columns<<<1, 24>>>(); }

// Rows of a linear array that its author spelled out.
// PLAN-LABEL: plan linear
// PLAN-NEXT: layout line [256] -> [256] pitch 16, transposed: wavefronts 64 -> 8, bound 8: bound reached
// CHECK-LABEL: void linear(
// CHECK: __shared__ float line[Width * Width];
// CHECK: line[threadIdx.x + threadIdx.y * 16] = 0;
constexpr int Width = 16;
__global__ void linear() {
  __shared__ float line[Width * Width];
  line[threadIdx.x * Width + threadIdx.y] = 0;
}
void launchLinear() { linear<<<1, dim3(16, 16)>>>(); }

// The same with rows, columns and antidiagonals of odd length.
// PLAN-LABEL: plan pitch
// PLAN-NEXT: layout line [1089] -> [1121] pitch 34: wavefronts 34 -> 4, bound 3: best found, gap 1
// CHECK-LABEL: void pitch(
// CHECK: __shared__ float line[Odd * Odd + 32];
// CHECK: line[threadIdx.x * (Odd + 1) + threadIdx.y] = 0;
// CHECK: line[threadIdx.y * (Odd + 1) + threadIdx.x] = 1;
// CHECK: line[threadIdx.x * (Odd + 1) + (32 - threadIdx.x)] = 2;
constexpr int Odd = 33;
__global__ void pitch() {
  __shared__ float line[Odd * Odd];
  line[threadIdx.x * Odd + threadIdx.y] = 0;
  line[threadIdx.y * Odd + threadIdx.x] = 1;
  line[threadIdx.x * Odd + (32 - threadIdx.x)] = 2;
}
void launchPitch() { pitch<<<1, 32>>>(); }

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
// PLAN-NEXT: layout tile [16][16] -> [16][16] transposed: wavefronts 40 -> 2, bound 2: bound reached
// CHECK-LABEL: void instances(
// CHECK: __shared__ float tile[Size][Size];
// CHECK: tile[0][threadIdx.x] = 0;
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
// PLAN-NEXT: layout bytes [32][32] -> [32][36]: wavefronts 288 -> 64, bound 64: bound reached
// PLAN-NEXT: layout halves [32][32] -> [32][34]: wavefronts 544 -> 64, bound 64: bound reached
// PLAN-NEXT: layout quads [16][16] -> [16][17]: wavefronts 288 -> 64, bound 64: bound reached
__global__ void widths(float4 *Out) {
  __shared__ unsigned char bytes[32][32];
  __shared__ short halves[32][32];
  __shared__ float4 quads[16][16];
  bytes[threadIdx.x][threadIdx.y] = 0;
  bytes[threadIdx.y][threadIdx.x] = 0;
  halves[threadIdx.x][threadIdx.y] = 0;
  halves[threadIdx.y][threadIdx.x] = 0;
  if (threadIdx.x < 16 && threadIdx.y < 16)
    quads[threadIdx.y][threadIdx.x] = Out[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16 && threadIdx.y < 16)
    Out[threadIdx.y * 16 + threadIdx.x] = quads[threadIdx.x][threadIdx.y];
}
void launchWidths(float4 *Out) { widths<<<1, dim3(32, 32)>>>(Out); }

// Data-dependent subscripts are no obstacle to a linear array: the layout acts
// on the number.
// PLAN-LABEL: plan gather
// PLAN-NEXT: layout line [1024] -> [1024] pitch 32, transposed: wavefronts 32 -> 1, bound 1 (estimated): bound reached
// CHECK-LABEL: void gather(
// CHECK: line[threadIdx.x] = 0;
// CHECK: Out[0] = line[(At >> 5) + (At & 31) * 32];
__global__ void gather(int *Index, float *Out) {
  __shared__ float line[1024];
  line[threadIdx.x * 32] = 0;
  int At = Index[0];
  Out[0] = line[At];
}
void launchGather(int *Index, float *Out) { gather<<<1, 32>>>(Index, Out); }
