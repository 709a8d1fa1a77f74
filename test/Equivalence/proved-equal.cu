// RUN: %cuda-opt --verify=machine -Rpass=.* --report=json:%t.json %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: grep -v '//' %t.cu | FileCheck %s
//
// A rewrite that is proved equal for all data is made, and the proof is told.

#include "cuda.h"

// REMARK: remark: shared array 'tile' is stored as [32][33]
// REMARK: remark: rewrite of kernel 'transpose' verified: proved equal for all data at <<<(2,2,1),(32,8,1)>>> with Pitch = {{[0-9]+}} and {{[0-9]+}} more launches [-Rpass]
// JSON: "name": "transpose"
// JSON: "verify": "machine: ProvedEqual"
// CHECK: __shared__ float tile[32][32 + 1];
__global__ void transpose(float *Out, const float *In, int Pitch) {
  __shared__ float tile[32][32];
  int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32;
  for (int R = threadIdx.y; R < 32; R += 8)
    tile[R][threadIdx.x] = In[(Y + R) * Pitch + X];
  __syncthreads();
  for (int R = threadIdx.y; R < 32; R += 8)
    Out[(Y + R) * Pitch + X] = tile[threadIdx.x][R];
}

// Two arrays, a loop around the barriers, and sums of doubles.
// REMARK: remark: shared array 'b' is stored as
// REMARK: remark: rewrite of kernel 'multiply' verified: proved equal for all data at <<<(2,2,1),(16,16,1)>>>
// JSON: "name": "multiply"
// JSON: "verify": "machine: ProvedEqual"
__global__ void multiply(double *C, const double *A, const double *B) {
  constexpr int N = 32;
  __shared__ double a[16][16];
  __shared__ double b[16][16];
  int X = threadIdx.x, Y = threadIdx.y;
  int Row = blockIdx.y * 16 + Y, Column = blockIdx.x * 16 + X;
  double Sum = 0;
  for (int K = 0; K < N; K += 16) {
    a[Y][X] = A[Row * N + K + X];
    b[X][Y] = B[(K + Y) * N + Column];
    __syncthreads();
    for (int I = 0; I < 16; ++I)
      Sum += a[Y][I] * b[X][I];
    __syncthreads();
  }
  C[Row * N + Column] = Sum;
}

// A template is checked in all its instances.
// REMARK: remark: rewrite of kernel 'turn' verified: proved equal
template <class T> __global__ void turn(T *Out, const T *In) {
  __shared__ T square[32][32];
  square[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = square[threadIdx.x][threadIdx.y];
}

void launch(float *F, double *D, int *I) {
  transpose<<<dim3(2, 2), dim3(32, 8)>>>(F, F, 64);
  multiply<<<dim3(2, 2), dim3(16, 16)>>>(D, D, D);
  turn<<<1, dim3(32, 32)>>>(F, F);
  turn<<<1, dim3(32, 32)>>>(I, I);
}
