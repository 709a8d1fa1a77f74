// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=analysis %s -- %cuda-flags | FileCheck %s --check-prefix=COUNT
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --verify=machine --layout=linear %s -o - -- %cuda-flags | FileCheck %s
//
// The slice of a product: each thread reads eight rows of one array and eight
// columns of another. The compiler unrolls the nest, loads each element once, and
// four neighbours together. The text of a layout keeps the number apart from what
// the thread decides, so that this stays so.

#include "cuda.h"

// A has no conflict: four of its columns are one load, and two rows a warp two
// wavefronts in any layout. (8 warps, 2 slices: 16 loads and 2 stores each.)
// COUNT-LABEL: analysis sliced block 16x16x1
// COUNT-NEXT: array A: 272 requests, 576 wavefronts, bound 576; L128 256, S128 16
// COUNT-NEXT: array B: 272 requests, 2112 wavefronts, bound 1088; L128 256, S128 16
// CHECK-LABEL: void sliced(
// CHECK: &A[T / 2][T % 2 * 4])
// CHECK: &B[T / 32][T % 32 * 4 ^ (((T % 32 * 4) >> 5) << 2)])
// CHECK: Sum[Y][X] += A[Ty * 8 + Y][I] *
// CHECK-NEXT: B[I][((Tx * 8 + (X & ~3)) ^ (((Tx * 8) >> 5) << 2)) + (X & 3)];
__global__ void sliced(float *Out, const float *In) {
  __shared__ float A[128][8];
  __shared__ float B[8][128];
  int Tx = threadIdx.x, Ty = threadIdx.y, T = Ty * 16 + Tx;
  float Sum[8][8] = {};
  for (int Slice = 0; Slice < 2; ++Slice) {
    *reinterpret_cast<float4 *>(&A[T / 2][T % 2 * 4]) =
        *reinterpret_cast<const float4 *>(In + Slice * 1024 + T * 4);
    *reinterpret_cast<float4 *>(&B[T / 32][T % 32 * 4]) =
        *reinterpret_cast<const float4 *>(In + Slice * 1024 + T * 4);
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 8; ++I)
#pragma unroll
      for (int Y = 0; Y < 8; ++Y)
#pragma unroll
        for (int X = 0; X < 8; ++X)
          Sum[Y][X] += A[Ty * 8 + Y][I] *
                       B[I][Tx * 8 + X];
    __syncthreads();
  }
  for (int Y = 0; Y < 8; ++Y)
    for (int X = 0; X < 8; ++X)
      Out[(Ty * 8 + Y) * 128 + Tx * 8 + X] = Sum[Y][X];
}

// Four columns a thread: the number stays below the chunk, and needs no mask. The
// same in an array of one dimension.
// CHECK-LABEL: void quarter(
// CHECK: Sum += B[I][(8 * T ^ (((8 * T) >> 5) << 2)) + X];
// CHECK: Sum += Flat[((T >> 2 & 1) << 2) + X + T * 8];
__global__ void quarter(float *Out, const float *In) {
  __shared__ float B[8][256];
  __shared__ float Flat[256];
  int T = threadIdx.x;
  for (int I = 0; I < 8; ++I)
    for (int J = T; J < 256; J += 32)
      B[I][J] = In[I * 256 + J];
  for (int J = T; J < 256; J += 32)
    Flat[J] = In[J];
  __syncthreads();
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < 8; ++I)
#pragma unroll
    for (int X = 0; X < 4; ++X)
      Sum += B[I][8 * T + X];
#pragma unroll
  for (int X = 0; X < 4; ++X)
    Sum += Flat[X + T * 8];
  Out[T] = Sum;
}

void launch(float *Out, const float *In) {
  sliced<<<1, dim3(16, 16)>>>(Out, In);
  quarter<<<1, 32>>>(Out, In);
}
