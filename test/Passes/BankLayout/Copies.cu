// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --verify=machine -Rpass=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --quiet %s -o %t.cu -- %cuda-flags
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
//
// Functions that copy bytes of one row: aligned chunks of a thread stay together,
// and other copies keep rows as they are.

#include "cuda/copies.h"

namespace cg = cooperative_groups;

// All but the copy of a size that is not known, which the interpreter does not
// model.
// PROVED-COUNT-6: proved equal for all data

// The bytes of one cp.async are one access, and are not merged.
// CHECK-LABEL: plan chunks
// CHECK-NEXT: layout tile [64][32] -> [64][32] c ^ ((r >> 1 & 3) << 3): wavefronts 96 -> 48, bound 48: bound reached
// NEW-LABEL: void chunks(
// NEW: __pipeline_memcpy_async(&tile[I / 4][I % 4 * 8 ^ (((I / 4) >> 1 & 3) << 3)], &In[I * 8], 16);
__global__ void chunks(float4 *Out, const half *In) {
  __shared__ half tile[64][32];
  for (int I = threadIdx.x; I < 256; I += 32)
    __pipeline_memcpy_async(&tile[I / 4][I % 4 * 8], &In[I * 8], 16);
  __syncthreads();
  for (int K = 0; K < 4; ++K)
    Out[threadIdx.x * 4 + K] =
        *reinterpret_cast<float4 *>(&tile[threadIdx.x][K * 8]);
}

// CHECK-LABEL: plan elements
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts 288 -> 64, bound 64
__global__ void elements(float *Out, const float *In) {
  __shared__ float tile[32][32];
  for (int R = 0; R < 32; ++R)
    __pipeline_memcpy_async(&tile[R][threadIdx.x], &In[R * 32 + threadIdx.x],
                            4);
  __syncthreads();
  for (int C = 0; C < 32; ++C)
    Out[C * 32 + threadIdx.x] = tile[threadIdx.x][C];
}

// CHECK-LABEL: plan pairs
// CHECK-NEXT: layout tile [32][64] -> [32][64] c ^ ((r & 7) << 2)
// NEW-LABEL: void pairs(
// NEW: memcpy(&tile[R][threadIdx.x * 2 ^ ((R & 7) << 2)], &In[(R * 32 + threadIdx.x) * 2], 8);
__global__ void pairs(float *Out, const float *In) {
  __shared__ float tile[32][64];
  for (int R = 0; R < 32; ++R)
    memcpy(&tile[R][threadIdx.x * 2], &In[(R * 32 + threadIdx.x) * 2], 8);
  __syncthreads();
  for (int C = 0; C < 64; ++C)
    Out[C * 32 + threadIdx.x] = tile[threadIdx.x][C];
}

// A row of 128 bytes that is copied as a whole begins at multiples of 16 bytes,
// and does so afterwards.
// CHECK-LABEL: plan rows
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts 2048 -> 256, bound 256
// NEW-LABEL: void rows(
// NEW: __shared__ float tile[32][32 + 4];
// NEW: cg::memcpy_async(cg::this_thread_block(), &tile[R][0], In + R * 32, 128);
__global__ void rows(float *Out, const float *In) {
  __shared__ float tile[32][32];
  for (int R = 0; R < 32; ++R)
    cg::memcpy_async(cg::this_thread_block(), &tile[R][0], In + R * 32, 128);
  __syncthreads();
  for (int C = 0; C < 32; ++C)
    Out[C * 256 + threadIdx.x] = tile[threadIdx.x % 32][C];
}

// A number of elements that is not known, and cannot pass the row.
// CHECK-LABEL: plan bounded
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts
// NEW-LABEL: void bounded(
// NEW: __shared__ float tile[32][32 + 4];
// NEW: memcpy(tile[threadIdx.x] + 1, In, N * 4);
__global__ void bounded(float *Out, const float *In, int N) {
  __shared__ float tile[32][32];
  for (int C = 0; C < 32; ++C)
    tile[threadIdx.x][C] = 0;
  if (N >= 0 && N < 32)
    memcpy(tile[threadIdx.x] + 1, In, N * 4);
  for (int C = 0; C < 32; ++C)
    Out[C * 32 + threadIdx.x] = tile[threadIdx.x][C];
}

// From the array, through a pointer to a row.
// CHECK-LABEL: plan out
// CHECK-NEXT: layout tile [32][32] -> [32][36]: wavefronts
// NEW-LABEL: void out(
// NEW: memcpy(Out + threadIdx.x * 8, &Row[8], 32);
__global__ void out(float *Out, const float *In) {
  __shared__ float tile[32][32];
  float *Row = tile[threadIdx.x];
  for (int C = 0; C < 32; ++C)
    Row[C] = In[C * 32 + threadIdx.x];
  memcpy(Out + threadIdx.x * 8, &Row[8], 32);
}

// One dimension: the rows are those of the subscripts.
// CHECK-LABEL: plan flat
// CHECK-NEXT: layout s [1024] -> [1148] pitch 36: wavefronts
// NEW-LABEL: void flat(
// NEW: memcpy(&s[threadIdx.x * (32 + 4) + 8], In + threadIdx.x * 8, 32);
__global__ void flat(float *Out, const float *In) {
  __shared__ float s[32 * 32];
  for (int C = 0; C < 32; ++C)
    s[threadIdx.x * 32 + C] = 0;
  memcpy(&s[threadIdx.x * 32 + 8], In + threadIdx.x * 8, 32);
  for (int C = 0; C < 32; ++C)
    Out[C * 32 + threadIdx.x] = s[threadIdx.x * 32 + C];
}

void launch(float *Out, const float *In) {
  chunks<<<1, 32>>>((float4 *)Out, (const half *)In);
  elements<<<1, 32>>>(Out, In);
  pairs<<<1, 32>>>(Out, In);
  rows<<<1, 256>>>(Out, In);
  bounded<<<1, 32>>>(Out, In, 5);
  out<<<1, 32>>>(Out, In);
  flat<<<1, 32>>>(Out, In);
}
