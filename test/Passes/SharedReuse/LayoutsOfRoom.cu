// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=ALONE
// RUN: %cuda-opt --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --assume-closed-world --reuse=off --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=ALONE
// RUN: %cuda-opt --assume-closed-world --verify=machine -Rpass=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=EQUAL
// RUN: %cuda-opt --assume-closed-world --check %t.cu -- %cuda-flags
//
// Layouts may take the bytes that others give away, and count on the warps that
// then fit, so that a second run finds nothing more to do.
#include "cuda.h"

// A macro writes the subscript: no xor.
#define AT(A, I, J) A[I][J]

// ALONE-LABEL: plan beside_private
// ALONE: keep tile: the better layout needs 53552 bytes of shared memory
// PLAN-LABEL: plan beside_private
// PLAN: layout tile [315][32] -> [315][36]
// PLAN: storage: bytes 48512 -> 45360, bound 45360; blocks 4 -> 5
// EQUAL-DAG: rewrite of kernel 'beside_private' verified
__global__ void beside_private(float *out, const float *in) {
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

// To cut `part` wins no block over what fits beside its last rows, but these
// bytes then hold longer rows of `tile`.
// ALONE-LABEL: plan beside_cut
// ALONE: keep tile: the better layout needs 52384 bytes of shared memory
// PLAN-LABEL: plan beside_cut
// PLAN: layout tile [250][32] -> [250][36]
// PLAN: trim part to 128
// PLAN: storage: bytes 48384 -> 36512, bound 36512; blocks 4 -> 6
// EQUAL-DAG: rewrite of kernel 'beside_cut' verified
__global__ void beside_cut(float *out, const float *in) {
  __shared__ float part[4096];
  __shared__ float tile[250][32];
  int t = threadIdx.x;
  part[t] = in[t];
  for (int i = t / 32; i < 250; i += 4)
    AT(tile, i, t % 32) = in[i];
  __syncthreads();
  float x = part[127 - t];
  for (int k = 0; k < 32; k++)
    x += AT(tile, t, k) + AT(tile, t + 122, k);
  out[t] = x;
}

// The instructions of an xor do not pay for 10 warps, but for 13.
// ALONE-LABEL: plan more_warps
// ALONE: keep AS: {{.*}} as only 10 warps fit on a multiprocessor
// PLAN-LABEL: plan more_warps
// PLAN: layout AS [1664] -> {{.*}}c ^ (r >> 2 & 3): wavefronts 520 -> 208
// PLAN: storage (early | late): bytes 20480 -> 16896, bound 16896; blocks 10 -> 13
// EQUAL-DAG: rewrite of kernel 'more_warps' verified
__global__ void more_warps(double *out, const double *in) {
  __shared__ double AS[1664];
  __shared__ double early[448];
  __shared__ double late[448];
  int t = threadIdx.x;
  for (int i = t; i < 1664; i += 32)
    AS[i] = in[i];
  for (int i = t; i < 448; i += 32)
    early[i] = in[i];
  __syncthreads();
  double x = early[447 - t];
  __syncthreads();
  for (int i = t; i < 448; i += 32)
    late[i] = x;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < 52; ++k)
    x += AS[t * 52 + k];
  out[t] = x + late[447 - t];
}

// They are still too few, and the reason says how many.
// ALONE-LABEL: plan few_warps
// ALONE: keep AS: {{.*}} as only 6 warps fit on a multiprocessor
// PLAN-LABEL: plan few_warps
// PLAN: keep AS: {{.*}} as only 9 warps fit on a multiprocessor
// PLAN: storage (early | late): bytes 35712 -> 24512, bound 24512; blocks 6 -> 9
// EQUAL-DAG: rewrite of kernel 'few_warps' verified
__global__ void few_warps(double *out, const double *in) {
  __shared__ double AS[1664];
  __shared__ double early[1400];
  __shared__ double late[1400];
  int t = threadIdx.x;
  for (int i = t; i < 1664; i += 32)
    AS[i] = in[i];
  for (int i = t; i < 1400; i += 32)
    early[i] = in[i];
  __syncthreads();
  double x = early[1399 - t];
  __syncthreads();
  for (int i = t; i < 1400; i += 32)
    late[i] = x;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < 52; ++k)
    x += AS[t * 52 + k];
  out[t] = x + late[1399 - t];
}

// Two arrays that share bytes leave room for longer rows of a third one.
// ALONE-LABEL: plan beside_union
// ALONE: keep tile: the better layout needs 53312 bytes of shared memory
// PLAN-LABEL: plan beside_union
// PLAN: layout tile [260][32] -> [260][36]
// PLAN: storage (early | late): bytes 49152 -> 45504, bound 45504; blocks 4 -> 5
// EQUAL-DAG: rewrite of kernel 'beside_union' verified
__global__ void beside_union(float *out, const float *in) {
  __shared__ float early[2016];
  __shared__ float late[1952];
  __shared__ float tile[260][32];
  int t = threadIdx.x;
  for (int i = t / 32; i < 260; i += 4)
    AT(tile, i, t % 32) = in[i];
  for (int i = t; i < 2016; i += 128)
    early[i] = in[i];
  __syncthreads();
  float x = early[2015 - t];
  __syncthreads();
  for (int i = t; i < 1952; i += 128)
    late[i] = x;
  __syncthreads();
  for (int k = 0; k < 32; k++)
    x += AT(tile, t, k) + AT(tile, t + 132, k);
  out[t] = late[1951 - t] + x;
}

void launch(float *out, const float *in, double *c, const double *a) {
  beside_private<<<100, 128>>>(out, in);
  beside_cut<<<100, 128>>>(out, in);
  more_warps<<<100, 32>>>(c, a);
  few_warps<<<100, 32>>>(c, a);
  beside_union<<<100, 128>>>(out, in);
}
