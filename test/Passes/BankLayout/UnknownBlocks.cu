// RUN: %cuda-opt --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout --print=plan --assume-inbounds %s -- %cuda-flags | FileCheck %s --check-prefix=ASSUMED
// RUN: %cuda-opt --passes=bank-layout --print=plan --block=16,16 %s -- %cuda-flags | FileCheck %s --check-prefix=OPTION
//
// Without a launch, a layout must be good for all shapes of a block that are
// usual and stay inside the array.

#include "cuda.h"

// CHECK-LABEL: plan oneDimension
// CHECK-NEXT: layout line [2048] -> [2048] {{.*}}: wavefronts 189 -> 126, bound 126 (estimated): bound reached
__global__ void oneDimension() {
  __shared__ float line[2048];
  line[threadIdx.x * 2] = 0;
  line[threadIdx.x] = 0;
}

// The launch bounds name the only shape: 256 threads.
// CHECK-LABEL: plan bounded
// CHECK-NEXT: layout line [2048] -> [2048] {{.*}}: wavefronts 72 -> 16, bound 16 (estimated): bound reached
__global__ void __launch_bounds__(256) bounded() {
  __shared__ float line[2048];
  line[threadIdx.x * 8] = 0;
  line[threadIdx.x] = 0;
}

// No pitch and no c ^ r is good for 32x8, 16x16 and 8x32 alike.
// CHECK-LABEL: plan guarded
// CHECK-NEXT: layout tile [32][32] -> [32][32] c ^ (__brev(r) >> 27): wavefronts 1716 -> 124, bound 124 (estimated): bound reached
// OPTION-LABEL: plan guarded
// OPTION-NEXT: layout tile [32][32] -> [32][32] {{.*}}: wavefronts 144 -> 16, bound 16: bound reached
__global__ void guarded() {
  __shared__ float tile[32][32];
  if (threadIdx.x < 32 && threadIdx.y < 32) {
    tile[threadIdx.y][threadIdx.x] = 0;
    tile[threadIdx.x][threadIdx.y] = 0;
  }
}

// Without the guard nobody knows that rows are not left, unless the user says so.
// CHECK-LABEL: plan unguarded
// CHECK-NEXT: keep tile: subscript 'tile[threadIdx.y][threadIdx.x]' cannot be proved to stay inside its row
// ASSUMED-LABEL: plan unguarded
// ASSUMED-NEXT: layout tile [32][32] -> [32][32] c ^ (__brev(r) >> 27)
__global__ void unguarded() {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = 0;
  tile[threadIdx.x][threadIdx.y] = 0;
}

// Narrower blocks would have conflicts, but would read what no thread of them
// writes: only 32 x 32 threads fill the tiles, and these have no conflict.
// ASSUMED-LABEL: plan product
// ASSUMED-NEXT: keep as: no access conflicts
// ASSUMED-NEXT: keep bs: no access conflicts
__global__ void product(float *c, const float *a, const float *b, int n) {
  __shared__ float as[32][32];
  __shared__ float bs[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int m = 0; m < n; m += 32) {
    as[y][x] = a[y * n + m + x];
    bs[y][x] = b[(m + y) * n + x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// 32 x 32 threads would leave the array in a later iteration; 32 x 8 fill it.
// ASSUMED-LABEL: plan rows
// ASSUMED-NEXT: layout tile [32][32] -> [32][33]: wavefronts 1056 -> 64, bound 64
__global__ void rows(float *out, const float *in) {
  __shared__ float tile[32][32];
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    out[j] = tile[threadIdx.x][threadIdx.y + j];
}

// Each shape fills the array. Those with rows of 32 threads have no conflict, and would
// only execute what a permutation adds: padding adds nothing.
// ASSUMED-LABEL: plan some
// ASSUMED-NEXT: layout tile [32][32] -> [32][40]: wavefronts 1632 -> 1280
__global__ void some(float *out, const float *in) {
  __shared__ float tile[32][32];
  for (int r = threadIdx.y; r < 32; r += blockDim.y)
    for (int c = threadIdx.x; c < 32; c += blockDim.x)
      tile[r][c] = in[c];
  __syncthreads();
  float sum = 0;
  if (threadIdx.y < 32)
    for (int k = 0; k < 32; ++k)
      sum += tile[threadIdx.y][k];
  out[threadIdx.x] = sum;
}

// A launch tells the shape, and a pointer hides another one.
// CHECK-LABEL: plan pointed
// CHECK-NEXT: layout line [1024] -> [1024] {{.*}} (estimated): bound reached
__global__ void pointed() {
  __shared__ float line[1024];
  line[threadIdx.x * 32] = 0;
  line[threadIdx.x] = 0;
}
void hide(void (*Kernel)());
void launch() {
  pointed<<<1, 32>>>();
  hide(pointed);
}
