// RUN: %cuda-opt --layout=pad %s --report=json:%t.json -- %cuda-flags \
// RUN:   | grep -v '//' | FileCheck %s
// RUN: FileCheck --check-prefix=REASON %s < %t.json
//
// Padding must not move an array behind off the alignment of the wide accesses
// that a pointer may make to it: 17 rows of 18 floats are no multiple of 16
// bytes.

#include "cuda.h"

// REASON: "name": "tile"
// REASON: "name": "tight",
// REASON-NEXT: "not_counted": null,
// REASON-NEXT: "reason": "misaligns-other"
// CHECK-LABEL: void moves(
// CHECK: tile[17][16 + 4];
__global__ void moves(float *Out, const float *In) {
  __shared__ float tile[17][16];
  __shared__ float wide[256];
  int X = threadIdx.x, Y = threadIdx.y;
  wide[Y * 16 + X] = In[Y * 16 + X];
  tile[Y][X] = In[Y * 16 + X];
  __syncthreads();
  const float4 *Pointer = (const float4 *)wide;
  Out[Y * 16 + X] = tile[X][Y] + tile[X + 1][Y] + Pointer[X].x;
}

// CHECK-LABEL: void hasNoRoom(
// CHECK: tight[17][8];
__global__ void hasNoRoom(float *Out, const float *In) {
  __shared__ float tight[17][8];
  __shared__ float wide[256];
  int X = threadIdx.x, Y = threadIdx.y;
  wide[Y * 16 + X] = In[Y * 16 + X];
  tight[X][Y] = In[Y * 16 + X];
  __syncthreads();
  const float4 *Pointer = (const float4 *)wide;
  Out[Y * 16 + X] = tight[X][Y ^ 1] + Pointer[X].x;
}

// CHECK-LABEL: void isAligned(
// CHECK: tile[17][16 + 2];
__global__ void isAligned(float *Out, const float *In) {
  __shared__ float tile[17][16];
  __shared__ __attribute__((aligned(16))) float wide[256];
  int X = threadIdx.x, Y = threadIdx.y;
  wide[Y * 16 + X] = In[Y * 16 + X];
  tile[Y][X] = In[Y * 16 + X];
  __syncthreads();
  const float4 *Pointer = (const float4 *)wide;
  Out[Y * 16 + X] = tile[X][Y] + tile[X + 1][Y] + Pointer[X].x;
}

__device__ float takeWide(float V) {
  __shared__ float wide[256];
  wide[threadIdx.x] = V;
  __syncthreads();
  return ((const float4 *)wide)[threadIdx.x & 3].x;
}

// CHECK-LABEL: void isCalledBy(
// CHECK: tile[17][16 + 4];
__global__ void isCalledBy(float *Out, const float *In) {
  __shared__ float tile[17][16];
  int X = threadIdx.x, Y = threadIdx.y;
  tile[Y][X] = In[Y * 16 + X];
  __syncthreads();
  Out[Y * 16 + X] = tile[X][Y] + tile[X + 1][Y] + takeWide(In[X]);
}

void launch(float *Out, const float *In) {
  moves<<<1, dim3(16, 16)>>>(Out, In);
  hasNoRoom<<<1, dim3(16, 8)>>>(Out, In);
  isAligned<<<1, dim3(16, 16)>>>(Out, In);
  isCalledBy<<<1, dim3(16, 16)>>>(Out, In);
}
