// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --verify=machine -Rpass=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
//
// Parts of an extern array that pointers name are permuted inside their bytes.

#include "cuda.h"

// PROVED-COUNT-8: proved equal for all data

// CHECK-LABEL: plan halves
// CHECK-NEXT: keep s: pointers to its parts name them
// CHECK-NEXT: layout a [1024] -> [1024] pitch 32, c ^ r: wavefronts {{.*}}bound reached
// CHECK-NEXT: layout b [1024] -> [1024] pitch 32, c ^ r: wavefronts {{.*}}bound reached
// NEW-LABEL: void halves(
// NEW: float *a = s, *const b = s + 1024;
// NEW: b[threadIdx.x ^ (threadIdx.x >> 5)] = 2;
// NEW-NEXT: a[{{.*}} ^ ((threadIdx.x * 32) >> 5)] = out[threadIdx.x];
// NEW: out[threadIdx.x] = a[{{.*}}] - b[{{.*}} ^ ((threadIdx.x * 32) >> 5)];
__global__ void halves(float *out) {
  extern __shared__ float s[];
  float *a = s, *const b = s + 1024;
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
  a[threadIdx.x * 32] = out[threadIdx.x];
  b[threadIdx.x * 32] = 3;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] - b[threadIdx.x * 32];
}

// Offsets come from constants of all kinds, types from casts.
// CHECK-LABEL: plan casts
// CHECK-NEXT: keep raw: pointers to its parts name them
// CHECK-NEXT: keep head: no access conflicts
// CHECK-NEXT: layout tile [1024] -> [1024] pitch 32, c ^ r
// CHECK-NEXT: layout wide [1024] -> [1024] pitch 32, c ^ ((r & 7) << 1){{.*}}bound reached
// NEW-LABEL: void casts(
// NEW: tile[threadIdx.x * 32 + (k ^ threadIdx.x)] = head[k];
// NEW: out[k] = tile[k * 32 + (threadIdx.x ^ k)];
template <int N> __global__ void casts(float *out) {
  extern __shared__ char raw[];
  constexpr int Bytes = N * sizeof(int);
  const unsigned n = blockDim.x;
  int *head = (int *)raw;
  float *tile = reinterpret_cast<float *>(raw + Bytes);
  double *__restrict__ wide = (double *)&tile[n * 32];
  head[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int k = 0; k < 32; ++k)
    tile[threadIdx.x * 32 + k] = head[k];
  for (int k = 0; k < 32; ++k)
    wide[threadIdx.x * 32 + k] = k;
  __syncthreads();
  for (int k = 0; k < 32; ++k)
    out[k] = tile[k * 32 + threadIdx.x];
  for (int k = 0; k < 32; ++k)
    out[k] += wide[k * 32 + threadIdx.x];
}

// The whole array's name is one for the part that it begins with.
// CHECK-LABEL: plan namedTwice
// CHECK-NEXT: keep s: pointers to its parts name them
// CHECK-NEXT: layout a [1024] -> [1024] pitch 32, c ^ r
// CHECK-NEXT: keep b: no access conflicts
// NEW-LABEL: void namedTwice(
// NEW: a[threadIdx.x ^ (threadIdx.x >> 5)] = 2;
// NEW-NEXT: s[{{.*}} ^ ((threadIdx.x * 32) >> 5)] = 1;
__global__ void namedTwice(float *out) {
  extern __shared__ float s[];
  float *a = &s[0];
  float *b = a + 1024;
  a[threadIdx.x] = 2;
  s[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] + s[992 - threadIdx.x * 32];
}

// Without such a part it is what is left in front of the others.
// CHECK-LABEL: plan rest
// CHECK-NEXT: layout s [1024] -> [1024] pitch 32, c ^ r
// CHECK-NEXT: keep b: no access conflicts
__global__ void rest(float *out) {
  extern __shared__ float s[];
  float *b = s + 1024;
  s[threadIdx.x] = 2;
  s[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 3;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x] + b[31 - threadIdx.x];
}

// A box of rows.
// CHECK-LABEL: plan rows
// CHECK-NEXT: keep s: pointers to its parts name them
// CHECK-NEXT: layout tile [32][32] -> [32][32] c ^ r: wavefronts {{.*}}bound reached
// CHECK-NEXT: keep line: no access conflicts
// NEW-LABEL: void rows(
// NEW: tile[threadIdx.x][threadIdx.x] = 1;
__global__ void rows(float *out) {
  extern __shared__ float s[];
  float(*tile)[32] = (float(*)[32])s;
  float *line = &tile[32][0];
  tile[0][threadIdx.x] = 2;
  tile[threadIdx.x][0] = 1;
  line[threadIdx.x] = 3;
  __syncthreads();
  out[threadIdx.x] = tile[0][31 - threadIdx.x] + line[31 - threadIdx.x];
}

// A function may get a part.
// CHECK-LABEL: plan passed
// CHECK-NEXT: keep s: pointers to its parts name them
// CHECK-NEXT: layout a [1024] -> [1024] pitch 32, c ^ r
// CHECK-NEXT: keep b: no access conflicts
// NEW-LABEL: void fill(
// NEW-NEXT: part[{{.*}} ^ ((threadIdx.x * 32) >> 5)] = 1;
__device__ void fill(float *part) {
  part[threadIdx.x * 32] = 1;
}
__global__ void passed(float *out) {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  a[threadIdx.x] = 2;
  fill(a);
  b[threadIdx.x] = 3;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x] + b[31 - threadIdx.x];
}

// One text is right for parts that begin in different places.
// CHECK-LABEL: plan twoShapes
// CHECK-NEXT: keep s: pointers to its parts name them
// CHECK-NEXT: keep a: no access conflicts
// CHECK-NEXT: layout b [1024] -> [1024] pitch 32, c ^ r
__global__ void twoShapes(float *out) {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + blockDim.x;
  a[threadIdx.x] = out[threadIdx.x];
  if (threadIdx.x < 32)
    b[threadIdx.x] = 2;
  __syncthreads();
  if (threadIdx.x < 32)
    b[threadIdx.x * 32] = 1;
  __syncthreads();
  out[threadIdx.x] = a[31 - threadIdx.x % 32] + b[31 - threadIdx.x % 32];
}

// What a cast accesses at once stays together.
// CHECK-LABEL: plan chunks
// CHECK-NEXT: keep s: pointers to its parts name them
// CHECK-NEXT: keep a: no access conflicts
// CHECK-NEXT: layout b [1024] -> [1024] pitch 32, c ^ ((r & 7) << 2){{.*}}bound reached
__global__ void chunks(float4 *out) {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 32;
  a[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int k = 0; k < 32; ++k)
    b[k * 32 + threadIdx.x] = a[k];
  __syncthreads();
  for (int k = 0; k < 32; k += 4)
    out[threadIdx.x] = *reinterpret_cast<float4 *>(&b[threadIdx.x * 32 + k]);
}

// No part may grow: a row of 33 would be the better layout.
// CHECK-LABEL: plan oddSize
// CHECK-NEXT: keep s: pointers to its parts name them
// CHECK-NEXT: keep a: no access conflicts
// CHECK-NEXT: keep b: its size is an argument of the launch
__global__ void oddSize(float *out) {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 32;
  a[threadIdx.x] = 1;
  b[threadIdx.x * 32] = 0;
  b[threadIdx.x] = 1;
}

void launch(float *out) {
  halves<<<1, 32, 8192>>>(out);
  casts<32><<<1, 32, 128 + 4096 + 8192>>>(out);
  namedTwice<<<1, 32, 8192>>>(out);
  rest<<<1, 32, 8192>>>(out);
  rows<<<1, 32, 4096 + 128>>>(out);
  passed<<<1, 32, 8192>>>(out);
  twoShapes<<<1, 32, 128 + 4096>>>(out);
  twoShapes<<<1, 64, 256 + 4096>>>(out);
  chunks<<<1, 32, 128 + 4096>>>((float4 *)out);
  oddSize<<<1, 32, 128 + 4096 + 4>>>(out);
}
