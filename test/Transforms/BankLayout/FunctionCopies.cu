// RUN: %cuda-opt %s -o %t.cu -Rpass=.* -Rpass-missed --verify=machine -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
// RUN: %clang-plugin %t.cu
//
// A function that serves several arrays, or kernels, is copied for each layout.

#include "cuda.h"

// NEW: void columns(const float (*Tile)[32], float *Out) {
// NEW-NEXT: Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
// NEW-NEXT: }
// NEW-EMPTY:
// NEW-NEXT: __device__ void columns_{{swizzled}}(const float (*Tile)[32], float *Out) {
// NEW-NEXT: Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
// NEW-NEXT: }
__device__ void columns(const float (*Tile)[32], float *Out) {
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}

// CHECK: 'first' is stored as [32][32] c ^ r
// CHECK: 'second' is stored as [32][32] c ^ r
// CHECK: kernel 'twoArrays' verified: proved equal for all data
// NEW: columns_{{swizzled}}(first, Out);
// NEW-NEXT: columns_{{swizzled}}(second, Out + 1024);
__global__ void twoArrays(float *Out, const float *In) {
  __shared__ float first[32][32], second[32][32];
  first[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  second[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x] * 2;
  __syncthreads();
  columns(first, Out);
  columns(second, Out + 1024);
}

// A pointer to global memory keeps the original.
// CHECK: 'tile' is stored as [32][32] c ^ r
// CHECK: kernel 'sharedAndGlobal' verified: proved equal for all data
// NEW: columns_{{swizzled}}(tile, Out);
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

void launch(float *Out, const float *In) {
  twoArrays<<<1, dim3(32, 32)>>>(Out, In);
  sharedAndGlobal<<<1, dim3(32, 32)>>>(Out, In);
  twoLayouts<<<1, 32>>>(Out, In);
  nested<<<1, 32>>>(Out, In);
  touchGlobal<<<1, 32>>>(Out);
  touchShared<<<1, 32>>>(Out);
}
