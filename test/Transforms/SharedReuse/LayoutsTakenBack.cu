// RUN: %cuda-opt --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world %s -- %cuda-flags | diff %s -
//
// Layouts that take what other storage gives away are taken back with it, here
// since a launch must not change.
#include "cuda.h"

// A macro writes the subscript: no xor.
#define AT(A, I, J) A[I][J]

// CHECK-LABEL: plan no_room
// CHECK-NEXT: keep own: it is marked to be left alone
// CHECK-NEXT: keep tile: the better layout needs 53552 bytes of shared memory
// CHECK-NEXT: keep storage: it is marked to be left alone
__global__ void no_room(float *out, const float *in) {
  __shared__ float own[16][128];
  __shared__ float tile[315][32];
  int t = threadIdx.x;
  own[t / 128][t % 128] = in[t];
  for (int i = t / 32; i < 315; i += 4)
    AT(tile, i, t % 32) = in[i];
  __syncthreads();
  float x = 0;
  for (int k = 0; k < 32; k++)
    x += AT(tile, t, k);
  out[t] = own[t / 128][t % 128] + x;
}

// CHECK-LABEL: plan few_warps
// CHECK-NEXT: keep AS: {{.*}} as only 9 warps fit on a multiprocessor
// CHECK-NEXT: keep own: it is marked to be left alone
__global__ void few_warps(double *out, const double *in) {
  __shared__ double AS[1664];
  __shared__ double own[44][32];
  int t = threadIdx.x;
  own[t / 32][t] = in[t];
  for (int i = t; i < 1664; i += 32)
    AS[i] = in[i];
  __syncthreads();
  double x = own[t / 32][t];
#pragma unroll 1
  for (int k = 0; k < 52; ++k)
    x += AS[t * 52 + k];
  out[t] = x;
}

// CHECK-LABEL: plan large
// CHECK: keep storage: it is marked to be left alone
__global__ void large(float *out) {
  __shared__ float only[256][64];
  int t = threadIdx.x;
  for (int r = 0; r < 256; r++)
    only[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 256; r++)
    out[r * 64 + t] = only[r][63 - t];
}

void launch(float *out, const float *in, double *c, const double *a) {
  no_room<<<100, 128>>>(out, in);
  few_warps<<<100, 32>>>(c, a);
}
// cuda-opt off
void launchLarge(float *out) { large<<<1, 64>>>(out); }
// cuda-opt on
