// RUN: %cuda-opt --assume-closed-world --quiet %s -- %cuda-flags | grep -v CHECK | FileCheck %s
//
// Each family of layouts in the text: the declaration, every access, and
// nothing else.

#include "cuda.h"

#define CELL(r, c) tile[r][c]

// Where no padding serves both accesses, the columns are permuted.
// CHECK-LABEL: void square
// CHECK-NEXT: __shared__ float tile[16][16]; // 16 columns
// CHECK-NEXT: tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = In[
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
__global__ void square(float *Out, const float *In) {
  __shared__ float tile[16][16]; // 16 columns
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launchSquare(float *Out, float *In) { square<<<1, dim3(16, 16)>>>(Out, In); }

// Accesses that a macro writes stay: padding changes the declaration only.
// CHECK-LABEL: void oblong
// CHECK-NEXT: __shared__ float tile[32][48 + 1];
// CHECK-NEXT: Out[threadIdx.x] = CELL(threadIdx.x, threadIdx.y);
__global__ void oblong(float *Out) {
  __shared__ float tile[32][48];
  Out[threadIdx.x] = CELL(threadIdx.x, threadIdx.y);
}
void launchOblong(float *Out) { oblong<<<1, dim3(32, 8)>>>(Out); }

// A flat array keeps the rows that its subscripts write.
// CHECK-LABEL: void flat
// CHECK-NEXT: __shared__ float line[256];
// CHECK-NEXT: line[threadIdx.y * 16 + (threadIdx.x ^ threadIdx.y)] = In[
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: = line[threadIdx.x * 16 + (threadIdx.y ^ threadIdx.x)];
__global__ void flat(float *Out, const float *In) {
  __shared__ float line[256];
  line[threadIdx.y * 16 + threadIdx.x] = In[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 16 + threadIdx.x] = line[threadIdx.x * 16 + threadIdx.y];
}
void launchFlat(float *Out, float *In) { flat<<<1, dim3(16, 16)>>>(Out, In); }
