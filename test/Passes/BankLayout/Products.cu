// RUN: %cuda-opt --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=bank-layout %s -- %cuda-flags > %t.cu
// RUN: grep -v '//' %t.cu | FileCheck %s
//
// What was rewritten is kept by the next run, whatever it became.
// RUN: %cuda-opt --passes=bank-layout %t.cu -- %cuda-flags > %t.again.cu
// RUN: diff %t.cu %t.again.cu
//
// Rows that are xored, in planes that are longer.

#include "cuda.h"

// The exchange of an FFT: neither longer planes nor an xor reach the bound
// alone.
// PLAN-LABEL: plan exchange
// PLAN-NEXT: layout cube [8][8][8] -> [8][9][8] c ^ p: wavefronts 144 -> 32, bound 32: bound reached
// CHECK-LABEL: void exchange(
// CHECK: __shared__ float cube[8][8 + 1][8];
// CHECK: cube[i][hi][lo ^ i] = v[i];
// CHECK: v[i] = cube[lo][i][hi ^ lo];
__global__ void exchange(float *Out, const float *In) {
  __shared__ float cube[8][8][8];
  const int hi = threadIdx.x / 8;
  const int lo = threadIdx.x % 8;
  float v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = In[i];
  for (int i = 0; i < 8; ++i)
    cube[i][hi][lo] = v[i];
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    v[i] = cube[lo][i][hi];
  for (int i = 0; i < 8; ++i)
    Out[i] = v[i];
}
void launchExchange(float *Out, float *In) { exchange<<<1, 64>>>(Out, In); }

// Lanes that exchange their numbers are no swizzle of the author's: such an
// array is not left alone.
// PLAN-LABEL: plan partners
// PLAN-NEXT: layout tile [32][32] -> [32][36]: wavefronts 288 -> 64, bound 64
// CHECK-LABEL: void partners(
// CHECK: tile[threadIdx.x ^ 1][j ^ 1];
__global__ void partners(float *Out) {
  __shared__ float tile[32][32];
  for (int j = 0; j < 32; ++j)
    tile[j][threadIdx.x] = 0;
  __syncthreads();
  for (int j = 0; j < 32; ++j)
    Out[j] = tile[threadIdx.x ^ 1][j ^ 1];
}
void launchPartners(float *Out) { partners<<<1, 32>>>(Out); }

// The author's own swizzle is.
// PLAN-LABEL: plan swizzled
// PLAN-NEXT: keep tile: no layout tried needs fewer wavefronts
// CHECK-LABEL: void swizzled(
// CHECK: __shared__ float tile[32][32];
// CHECK: tile[threadIdx.x][j ^ (threadIdx.x & 7)];
__global__ void swizzled(float *Out) {
  __shared__ float tile[32][32];
  for (int j = 0; j < 32; ++j)
    Out[j] = tile[threadIdx.x][j ^ (threadIdx.x & 7)];
}
void launchSwizzled(float *Out) { swizzled<<<1, 32>>>(Out); }

// Places that are numbers, and terms that cancel.
// PLAN-LABEL: plan places
// PLAN-NEXT: layout tile [16][16] -> [16][16] c ^ r: wavefronts
// CHECK-LABEL: void places(
// CHECK: Out[0] = tile[3][6] + tile[0][5] + tile[i][0] + tile[5][i ^ 5];
__global__ void places(float *Out) {
  __shared__ float tile[16][16];
  const int i = threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = 0;
  __syncthreads();
  Out[1] = tile[threadIdx.x][threadIdx.y];
  Out[0] = tile[3][5] + tile[0][5] + tile[i][i] + tile[5][i];
}
void launchPlaces(float *Out) { places<<<1, dim3(16, 16)>>>(Out); }
