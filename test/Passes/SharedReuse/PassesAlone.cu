// RUN: %cuda-opt --assume-closed-world --passes=privatize --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PRIVATE
// RUN: %cuda-opt --assume-closed-world --passes=shrink --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=SHRINK
// RUN: %cuda-opt --assume-closed-world --passes=overlay --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=OVERLAY
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=ALL
// RUN: %cuda-opt --assume-closed-world --passes=privatize --verify=machine %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt explain overlay | FileCheck %s --check-prefix=EXPLAIN
//
// Each pass of shared-reuse decides without the others, too.
//
// EXPLAIN: overlay: a pass of shared-reuse, on by default
#include "cuda.h"

// PRIVATE-LABEL: plan all
// PRIVATE-NEXT: private own
// PRIVATE-NEXT: storage: bytes 36864 -> 32768
// SHRINK-LABEL: plan all
// SHRINK-NEXT: trim own to 1
// SHRINK-NEXT: trim part to 32
// SHRINK-NEXT: storage: bytes 36864 -> 16640
// OVERLAY-LABEL: plan all
// OVERLAY-NEXT: storage (part | second + own): bytes 36864 -> 24576
// ALL-LABEL: plan all
// ALL-NEXT: private own
// ALL-NEXT: trim part to 32
// ALL-NEXT: storage (part | second): bytes 36864 ->
// CHECK-LABEL: void all(
// CHECK-NEXT: float own;
// CHECK-NEXT: __shared__ float part[96][64];
// CHECK-NEXT: __shared__ float second[32][64];
__global__ void all(float *out, const float *in) {
  __shared__ float own[16][64];
  __shared__ float part[96][64];
  __shared__ float second[32][64];
  int t = threadIdx.x;
  own[t / 64][t % 64] = in[t];
  for (int r = 0; r < 32; r++)
    part[r][t] = in[r * 64 + t];
  __syncthreads();
  float x = part[t % 32][63 - t];
  __syncthreads();
  for (int r = 0; r < 32; r++)
    second[r][t] = x;
  __syncthreads();
  out[t] = second[t % 32][63 - t] + own[t / 64][t % 64];
}

// An array that one pass shall leave alone is not left alone by the others.
// ALL-LABEL: plan marked
// ALL-NEXT: share own: it is marked to be left alone
// ALL: storage (own | second): bytes
__global__ void marked(float *out, const float *in) {
  __shared__ float own[64][64]; // cuda-opt: ignore(privatize)
  __shared__ float second[64][64];
  int t = threadIdx.x;
  own[t][t] = in[t];
  float x = own[t][t];
  __syncthreads();
  for (int r = 0; r < 64; r++)
    second[r][t] = x;
  __syncthreads();
  out[t] = second[t][63 - t];
}

void launch(float *out, const float *in) {
  all<<<64, 64>>>(out, in);
  marked<<<64, 64>>>(out, in);
}
