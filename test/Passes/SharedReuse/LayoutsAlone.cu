// RUN: %cuda-opt --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world %s -- %cuda-flags | diff %s -
//
// Where the text cannot have the storage for which layouts were chosen, arrays get
// what they get alone, and say so.
#include "cuda.h"

// With the storage, 13 warps would fit, for which a layout pays.
// CHECK-LABEL: plan more_warps
// CHECK-NEXT: keep AS: {{.*}} as only 10 warps fit on a multiprocessor
// CHECK: keep storage: its text cannot be edited: 'early' is part of a constant expression
__global__ void more_warps(double *out, const double *in) {
  __shared__ double AS[1664];
  __shared__ double early[448];
  __shared__ double late[448];
  constexpr bool Throws = !noexcept(early[0]);
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
  out[t] = x + late[447 - t] + Throws;
}

// CHECK-LABEL: plan few_warps
// CHECK-NEXT: keep AS: {{.*}} as only 6 warps fit on a multiprocessor
// CHECK: keep storage: its text cannot be edited: 'early' is part of a constant expression
__global__ void few_warps(double *out, const double *in) {
  __shared__ double AS[1664];
  __shared__ double early[1400];
  __shared__ double late[1400];
  constexpr bool Throws = !noexcept(early[0]);
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
  out[t] = x + late[1399 - t] + Throws;
}

void launch(double *c, const double *a) {
  more_warps<<<100, 32>>>(c, a);
  few_warps<<<100, 32>>>(c, a);
}
