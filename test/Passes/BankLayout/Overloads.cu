// RUN: %cuda-opt %s -Rpass-missed=bank -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: grep -v "^ *//" %t.cu | FileCheck %s
//
// With a longer row in its type, a function would take the calls of another
// one that has its name; edits that leave the type as it is are fine.

#include "cuda.h"

// CHECK: __device__ float at(float (*rows)[32], int x) { return rows[x][1 ^ x]; }
__device__ float at(float (*rows)[32], int x) { return rows[x][1]; }
template <int N> __device__ float at(float (*rows)[N], int x) {
  return rows[x][2];
}
// CHECK: __shared__ float tile[32][32];
static __global__ void chosen(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][threadIdx.y] + at(tile, threadIdx.x);
}
static __global__ void other(float *out) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = at(tile, threadIdx.x);
}

// A function of a namespace may be named without it.
namespace near {
// CHECK: __device__ float get(float (&rows)[32][32], int x) { return rows[x][1 ^ x]; }
__device__ float get(float (&rows)[32][32], int x) { return rows[x][1]; }
} // namespace near
namespace far {
struct S {
  template <class T> friend __device__ float get(T &, S) { return 0; }
};
} // namespace far
static __global__ void named(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] =
      tile[threadIdx.x][threadIdx.y] + near::get(tile, threadIdx.x);
}

// The subscripts stand in a macro, so that only longer rows are possible.
#define AT(X, Y) [X][Y]
// REMARK: [[#@LINE+1]]:18: remark: {{.*}}it is passed to 'sum', and with another type of that parameter, calls could choose another function of that name
__device__ float sum(float (*rows)[32], int x) { return rows AT(x, 1); }
__device__ float sum(const void *, int) { return 0; }
static __global__ void kept(float *out) {
  __shared__ float tile[32][32];
  tile AT(threadIdx.y, threadIdx.x) = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile AT(threadIdx.x, threadIdx.y) + sum(tile, threadIdx.x);
}

void launch(float *out) {
  chosen<<<1, dim3(32, 32)>>>(out);
  other<<<1, dim3(32, 32)>>>(out);
  named<<<1, dim3(32, 32)>>>(out);
  kept<<<1, dim3(32, 32)>>>(out);
}
