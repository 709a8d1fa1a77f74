// RUN: %cuda-opt --assume-closed-world --print=model %s -- %cuda-flags | FileCheck %s
//
// Each access is a relation from (block, thread, iterators) to elements; what
// has no such relation is printed with the reason.

#include "cuda.h"

// CHECK-LABEL: kernel transpose
// CHECK-NEXT: block 32x8x1 (launch) grid 1x1x1, 1 barriers, 4096 shared bytes
// CHECK-NEXT: array tile[32][32] of 4 bytes
// CHECK-NEXT: write 4 bytes {{.*}} interval 0: {{.*}}S[b0 = 0, b1 = 0, b2 = 0, t0, t1, t2 = 0, i0] -> tile[t1 + 8i0, t0]
// CHECK-NEXT: read 4 bytes {{.*}} interval 1: {{.*}}S[b0 = 0, b1 = 0, b2 = 0, t0, t1, t2 = 0, i1] -> tile[t0, t1 + 8i1]
// CHECK-NOT: bounds not proved
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  int X = threadIdx.x, Y = threadIdx.y;
  for (int J = 0; J < 32; J += 8)
    tile[Y + J][X] = In[(Y + J) * 32 + X];
  __syncthreads();
  for (int J = 0; J < 32; J += 8)
    Out[(Y + J) * 32 + X] = tile[X][Y + J];
}
void launchTranspose(float *Out, float *In) {
  dim3 Block(32, 8);
  transpose<<<1, Block>>>(Out, In);
}

// A subscript read from memory is opaque, and never dropped.
// CHECK-LABEL: kernel gather
// CHECK: read 4 bytes {{.*}}: line opaque (data-dependent)
__global__ void gather(float *Out, const int *Index) {
  __shared__ float line[64];
  line[threadIdx.x] = 0;
  Out[threadIdx.x] = line[Index[threadIdx.x]];
}
void launchGather(float *Out, int *Index) { gather<<<1, 64>>>(Out, Index); }

// Division, remainder, shifts and masks are quasi-affine.
// CHECK-LABEL: kernel quasiAffine
// CHECK: write 4 bytes {{.*}} -> box[o0, o1] : (-t0 + o1) mod 16 = 0
// CHECK-NOT: bounds not proved
// CHECK-NOT: not affine
__global__ void quasiAffine(float *Out) {
  __shared__ float box[16][16];
  for (int I = threadIdx.x; I < 256; I += blockDim.x)
    box[I / 16][I % 16] = 0;
  box[threadIdx.x >> 2][threadIdx.x & 3] = 1;
  Out[threadIdx.x] = box[0][0];
}
void launchQuasiAffine(float *Out) { quasiAffine<<<1, 64>>>(Out); }

// A linearised array is delinearised where the column stays inside the row.
// CHECK-LABEL: kernel linear
// CHECK: write 4 bytes {{.*}} rows of 16
// CHECK: read 4 bytes
// CHECK-NOT: rows of
__global__ void linear(float *Out) {
  __shared__ float line[256];
  line[threadIdx.y * 16 + threadIdx.x] = 0;
  Out[threadIdx.x] = line[threadIdx.y * 8 + threadIdx.x];
}
void launchLinear(float *Out) { linear<<<1, dim3(16, 16)>>>(Out); }

// An unsigned difference may wrap: the row above is not in bounds without a
// guard.
// CHECK-LABEL: kernel guarded
// CHECK: read 4 bytes line [[@LINE+6]]
// CHECK-SAME: bounds not proved
// CHECK: read 4 bytes line [[@LINE+6]]
// CHECK-NOT: bounds not proved
__global__ void guarded(float *Out) {
  __shared__ float box[4][32];
  Out[0] = box[0][threadIdx.x - 1];
  if (threadIdx.x > 0)
    Out[1] = box[0][threadIdx.x - 1];
}
void launchGuarded(float *Out) { guarded<<<1, 32>>>(Out); }
