// RUN: %cuda-opt --assume-closed-world --passes=bank-layout %s -o %t.cu -Rpass=.* -Rpass-missed --verify=machine -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
// RUN: %clang-plugin %t.cu
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout %t.cu -o %t.2.cu -- %cuda-flags
// RUN: diff %t.cu %t.2.cu
//
// A function that serves several arrays, or kernels, is copied for each layout.

#include "cuda.h"

// NEW: void columns(const float (*Tile)[32], float *Out) {
// NEW-NEXT: Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
// NEW-NEXT: }
// NEW-EMPTY:
// NEW-NEXT: __device__ void columns_{{padded}}(const float (*Tile)[32 + 1], float *Out) {
// NEW-NEXT: Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
// NEW-NEXT: }
__device__ void columns(const float (*Tile)[32], float *Out) {
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}

// CHECK: 'first' is stored as [32][33]
// CHECK: 'second' is stored as [32][33]
// CHECK: kernel 'twoArrays' verified: proved equal for all data
// NEW: columns_{{padded}}(first, Out);
// NEW-NEXT: columns_{{padded}}(second, Out + 1024);
__global__ void twoArrays(float *Out, const float *In) {
  __shared__ float first[32][32], second[32][32];
  first[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  second[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x] * 2;
  __syncthreads();
  columns(first, Out);
  columns(second, Out + 1024);
}

// A pointer to global memory keeps the original.
// CHECK: 'tile' is stored as [32][33]
// CHECK: kernel 'sharedAndGlobal' verified: proved equal for all data
// NEW: columns_{{padded}}(tile, Out);
// NEW-NEXT: columns((const float (*)[32])In, Out + 1024);
__global__ void sharedAndGlobal(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  columns(tile, Out);
  columns((const float (*)[32])In, Out + 1024);
}

// One copy has two layouts.
// NEW: void move(float *To, const float *From) { To[threadIdx.x * 2] = From[threadIdx.x * 4]; }
// NEW: void move_{{transposed}}(float *To, const float *From) { To[threadIdx.x] = From[threadIdx.x]; }
__device__ void move(float *To, const float *From) { To[threadIdx.x * 2] = From[threadIdx.x * 4]; }
// CHECK: 'to' is stored as
// CHECK: 'from' is stored as
// CHECK: kernel 'twoLayouts' verified: proved equal for all data
// NEW: move_{{transposed}}(to, from);
// NEW: move(Out + 32, In);
__global__ void twoLayouts(float *Out, const float *In) {
  __shared__ float to[64], from[128];
  from[threadIdx.x * 4] = In[threadIdx.x];
  __syncthreads();
  move(to, from);
  __syncthreads();
  Out[threadIdx.x] = to[threadIdx.x * 2];
  move(Out + 32, In);
}

// Explicit arguments and qualifiers stay, and a copy calls copies.
namespace detail {
template <int N> __device__ __forceinline__ float at(const float *Line) {
  return Line[threadIdx.x * N];
}
// NEW: template <int N> __device__ __forceinline__ float at_{{transposed}}(const float *Line) {
// NEW-NEXT: return Line[threadIdx.x];
template <int N>
static __device__ float twice(const float *Line) {
#pragma unroll 2
  for (int I = 0; I < 2; ++I)
    if (I)
      return at<N>(Line) * 2;
  return 0;
}
// NEW: static __device__ float twice_{{transposed}}(const float *Line) {
// NEW-NEXT: #pragma unroll 2
// NEW: return at_{{transposed}}<N>(Line) * 2;
} // namespace detail
// CHECK: 'line' is stored as
// CHECK: kernel 'nested' verified: proved equal for all data
// NEW: Out[threadIdx.x] = detail::twice_{{transposed}}<8>(line);
// NEW-NEXT: Out[threadIdx.x + 32] = detail::twice<8>(In) + detail::at<8>(In);
__global__ void nested(float *Out, const float *In) {
  __shared__ float line[256];
  line[threadIdx.x * 8] = In[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = detail::twice<8>(line);
  Out[threadIdx.x + 32] = detail::twice<8>(In) + detail::at<8>(In);
}

// The types of deduced parameters stay.
template <int R, int C>
__device__ float sum(const unsigned (&Tile)[R][C]) {
  unsigned Sum = 0;
  for (int I = 0; I < R; ++I)
    Sum += Tile[threadIdx.x][I];
  return Sum;
}
// NEW: __device__ float sum_{{swizzled}}(const unsigned (&Tile)[R][C]) {
// NEW: Sum += Tile[threadIdx.x][{{.*}}^{{.*}}];
// CHECK: 'sums' is stored as
// CHECK: kernel 'deduces' verified: proved equal for all data
// NEW: Out[threadIdx.x] = sum_{{swizzled}}(sums) + sum(*(const unsigned (*)[32][32])In);
__global__ void deduces(unsigned *Out, const unsigned *In) {
  __shared__ unsigned sums[32][32];
  for (int I = 0; I < 32; ++I)
    sums[I][threadIdx.x] = In[threadIdx.x + 32 * I];
  __syncthreads();
  Out[threadIdx.x] = sum(sums) + sum(*(const unsigned (*)[32][32])In);
}

// A name that the file has is not taken.
int touch_transposed;
__device__ void touch(float *Line) { Line[threadIdx.x * 32] += 1; }
// NEW: void touch_{{transposed}}2(float *Line) { Line[
__global__ void touchGlobal(float *Line) { touch(Line); }
// CHECK: 'mine' is stored as
// NEW: touch_{{transposed}}2(mine);
__global__ void touchShared(float *Out) {
  __shared__ float mine[1024];
  mine[threadIdx.x * 32] = 0;
  touch(mine);
  Out[threadIdx.x] = mine[threadIdx.x * 32];
}

// All calls agree on one array, for which the text changes, and with it the copy.
// NEW: void both(float *To, float *From) { To[threadIdx.x * 32] = From[threadIdx.x]; }
// NEW: void both_{{transposed}}(float *To, float *From) { To[threadIdx.x] = From[threadIdx.x]; }
__device__ void both(float *To, float *From) { To[threadIdx.x * 32] = From[threadIdx.x * 32]; }
// CHECK: 'own' is stored as
// CHECK: 'left' is stored as
// CHECK: 'right' is stored as
// CHECK: kernel 'passesTwo' verified: proved equal for all data
// NEW: both_{{transposed}}(Left, own);
// NEW-NEXT: both_{{transposed}}(Right, own);
__device__ void owner(float *Left, float *Right) {
  __shared__ float own[1024];
  own[threadIdx.x * 32] = threadIdx.x;
  both(Left, own);
  both(Right, own);
}
__global__ void passesTwo(float *Out) {
  __shared__ float left[1024], right[1024];
  owner(left, right);
  Out[threadIdx.x] = left[threadIdx.x * 32] + right[threadIdx.x * 32];
}

void launch(float *Out, const float *In) {
  twoArrays<<<1, dim3(32, 32)>>>(Out, In);
  sharedAndGlobal<<<1, dim3(32, 32)>>>(Out, In);
  twoLayouts<<<1, 32>>>(Out, In);
  nested<<<1, 32>>>(Out, In);
  deduces<<<1, 32>>>((unsigned *)Out, (const unsigned *)In);
  passesTwo<<<1, 32>>>(Out);
  touchGlobal<<<1, 32>>>(Out);
  touchShared<<<1, 32>>>(Out);
}
