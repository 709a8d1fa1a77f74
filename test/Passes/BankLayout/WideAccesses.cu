// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --verify=machine -Rpass=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
//
// A cast that accesses several elements at once keeps them together and aligned,
// however it is written. Where it cannot be understood, the array stays.

#include "cuda.h"

#define FETCH_FLOAT4(PLACE) (reinterpret_cast<float4 *>(&(PLACE))[0])

// PROVED-COUNT-8: proved equal for all data

// CHECK-LABEL: plan reinterpret
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts 64 -> 8, bound 8: bound reached
// NEW-LABEL: void reinterpret(
// NEW: __shared__ float tile[32][32 + 4];
__global__ void reinterpret(float4 *Out, const float4 *In) {
  __shared__ float tile[32][32];
  *reinterpret_cast<float4 *>(&tile[threadIdx.x][0]) = In[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = *reinterpret_cast<float4 *>(&tile[threadIdx.x][0]);
}

// CHECK-LABEL: plan cCast
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts 32 -> 4, bound 4
__global__ void cCast(const float4 *In) {
  __shared__ float tile[32][32];
  *(float4 *)&tile[threadIdx.x][4] = In[threadIdx.x];
}

// CHECK-LABEL: plan macro
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts 32 -> 4, bound 4
__global__ void macro(float4 *In) {
  __shared__ float tile[32][32];
  FETCH_FLOAT4(tile[threadIdx.x][4]) = FETCH_FLOAT4(In[threadIdx.x]);
}

// CHECK-LABEL: plan elementZero
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts 32 -> 4, bound 4
__global__ void elementZero(const float4 *In) {
  __shared__ float tile[32][32];
  ((float4 *)&tile[threadIdx.x][8])[0] = In[threadIdx.x];
}

// CHECK-LABEL: plan reference
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts 32 -> 4, bound 4
__global__ void reference(const float4 *In) {
  __shared__ float tile[32][32];
  (float4 &)tile[threadIdx.x][12] = In[threadIdx.x];
}

// Chunks of two; padding would cost a block on the multiprocessor.
// CHECK-LABEL: plan pairs
// CHECK-NEXT: layout tile [32][32] -> [32][32] c ^ ((r & 7) << 1): wavefronts 32 -> 4, bound 4
// NEW-LABEL: void pairs(
// NEW: (double2 *)&tile[threadIdx.x][2 ^ ((threadIdx.x & 7) << 1)] = In[threadIdx.x];
__global__ void pairs(const double2 *In) {
  __shared__ double tile[32][32];
  *(double2 *)&tile[threadIdx.x][2] = In[threadIdx.x];
}

// Where there is no room for padding, whole chunks change places.
// CHECK-LABEL: plan permuted
// CHECK-NEXT: layout line [1024] -> [1024] pitch 32, c ^ ((r & 7) << 2): wavefronts 38 -> 10, bound 10: bound reached
// NEW-LABEL: void permuted(
// NEW: *(float4 *)&line[threadIdx.x * 32 ^ (((threadIdx.x * 32) >> 5 & 7) << 2)] = In[threadIdx.x];
// NEW: line[threadIdx.x ^ ((threadIdx.x >> 5 & 7) << 2)] += 1;
__global__ void permuted(const float4 *In) {
  extern __shared__ float line[];
  *(float4 *)&line[threadIdx.x * 32] = In[threadIdx.x];
  *(float4 *)&line[threadIdx.x * 4] = In[threadIdx.x];
  __syncthreads();
  line[threadIdx.x] += 1;
}

// One dimension.
// CHECK-LABEL: plan flat
// CHECK-NEXT: layout line [1024] -> [1148] pitch 36: wavefronts 32 -> 4, bound 4
// NEW-LABEL: void flat(
// NEW: *(float4 *)&line[threadIdx.x * (32 + 4)] = In[threadIdx.x];
__global__ void flat(const float4 *In) {
  __shared__ float line[1024];
  *(float4 *)&line[threadIdx.x * 32] = In[threadIdx.x];
}

// CHECK-LABEL: plan misaligned
// CHECK-NEXT: keep tile: it is cast to 'float4 *'
__global__ void misaligned(const float4 *In) {
  __shared__ float tile[32][32];
  *(float4 *)&tile[threadIdx.x][2] = In[threadIdx.x];
}

// CHECK-LABEL: plan unprovable
// CHECK-NEXT: keep tile: it is cast to 'float4 *'
__global__ void unprovable(const float4 *In, int K) {
  __shared__ float tile[32][32];
  *(float4 *)&tile[threadIdx.x][K] = In[threadIdx.x];
}

// Every other row is misaligned.
// CHECK-LABEL: plan oddRows
// CHECK-NEXT: keep tile: it is cast to 'float4 *'
__global__ void oddRows(const float4 *In) {
  __shared__ float tile[32][33];
  *(float4 *)&tile[threadIdx.x][0] = In[threadIdx.x];
}

// CHECK-LABEL: plan elementOne
// CHECK-NEXT: keep tile: it is cast to 'float4 *'
__global__ void elementOne(const float4 *In) {
  __shared__ float tile[32][32];
  ((float4 *)&tile[threadIdx.x][0])[1] = In[threadIdx.x];
}

// A part of an element.
// CHECK-LABEL: plan narrower
// CHECK-NEXT: keep tile: it is cast to 'char *'
__global__ void narrower(char *Out) {
  __shared__ float tile[32][32];
  *Out = *(char *)&tile[threadIdx.x][0];
}

void launch(float4 *F, double2 *D, char *C) {
  reinterpret<<<1, 32>>>(F, F);
  cCast<<<1, 32>>>(F);
  macro<<<1, 32>>>(F);
  elementZero<<<1, 32>>>(F);
  reference<<<1, 32>>>(F);
  pairs<<<1, 32>>>(D);
  permuted<<<1, 32, 4096>>>(F);
  flat<<<1, 32>>>(F);
  misaligned<<<1, 32>>>(F);
  unprovable<<<1, 32>>>(F, 4);
  oddRows<<<1, 32>>>(F);
  elementOne<<<1, 32>>>(F);
  narrower<<<1, 32>>>(C);
}
