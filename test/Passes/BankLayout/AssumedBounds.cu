// RUN: %cuda-opt --passes=bank-layout --quiet %s -- %cuda-flags | diff %s -
// RUN: %cuda-opt --passes=bank-layout --quiet --assume-inbounds %s -- %cuda-flags | grep -v '//' | FileCheck %s
//
// Rows that a parameter or data choose cannot be proved to be inside;
// --assume-inbounds takes the author's word for it.

#include "cuda.h"

// CHECK-LABEL: void parameter(
// CHECK-NEXT: __shared__ float tile[32][32 + 1];
__global__ void parameter(float *Out, int Columns) {
  __shared__ float tile[32][32];
  for (int I = 0; I < Columns; ++I)
    tile[threadIdx.x][I] = tile[I][threadIdx.x];
}

// CHECK-LABEL: void data(
// CHECK-NEXT: __shared__ float tile[32][32 + 1];
__global__ void data(float *Out, const int *Columns) {
  __shared__ float tile[32][32];
  for (int I = 0; I < 32; ++I)
    tile[threadIdx.x][I] = tile[I][threadIdx.x];
  Out[threadIdx.x] = tile[threadIdx.x][Columns[threadIdx.x]];
}

void launch(float *Out, const int *Columns) {
  parameter<<<1, 32>>>(Out, 3);
  data<<<1, 32>>>(Out, Columns);
}
