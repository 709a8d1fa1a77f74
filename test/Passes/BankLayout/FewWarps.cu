// RUN: %cuda-opt --assume-closed-world --passes=bank-layout %s -o %t.cu -Rpass-missed=bank-layout --report=json:%t.json -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
// RUN: FileCheck %s --check-prefix=ID < %t.json
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --layout=xor %s -o %t.xor.cu --quiet -- %cuda-flags
// RUN: grep -v '//' %t.xor.cu | FileCheck %s --check-prefix=XOR
//
// A layout whose instructions take longer than the conflicts is not taken where few
// warps lie on a multiprocessor, unless it is asked for.
#include "cuda.h"

// Two arrays of 21 KB: five blocks, of one warp each.
// CHECK: :[[@LINE+6]]:21: remark: {{.*}}'AS'{{.*}}: the instructions that the better layout adds take longer than the conflicts that it removes, as only 5 warps fit on a multiprocessor (585 wavefronts of a block before, 273 after)
// ID: "reason": "few-warps"
// NEW-LABEL: void product(
// NEW-NOT: ^
// XOR-LABEL: void product(
__global__ void product(double *C, const double *A, const double *B) {
  __shared__ double AS[2704];
  __shared__ double BS[2704];
  for (int I = threadIdx.x; I < 2704; I += 32) {
    AS[I] = A[I];
    BS[I] = B[I];
  }
  __syncthreads();
  int Row = blockIdx.x * 32 + threadIdx.x;
  if (Row >= 52)
    return;
  double Sum = 0;
#pragma unroll 1
  for (int K = 0; K < 52; ++K)
    // XOR: AS[Row * 52 + (K ^ (Row >> 2 & 3))]
    Sum += AS[Row * 52 + K] * BS[K * 52 + blockIdx.y];
  C[Row * 52 + blockIdx.y] = Sum;
}

// The same with 13 warps a block.
// NEW-LABEL: void productWide(
__global__ void productWide(double *C, const double *A, const double *B) {
  __shared__ double AS[2704];
  __shared__ double BS[2704];
  for (int I = threadIdx.y * 32 + threadIdx.x; I < 2704; I += 416) {
    AS[I] = A[I];
    BS[I] = B[I];
  }
  __syncthreads();
  int Row = blockIdx.x * 32 + threadIdx.x;
  if (Row >= 52)
    return;
  for (int Column = threadIdx.y; Column < 52; Column += 13) {
    double Sum = 0;
#pragma unroll 1
    for (int K = 0; K < 52; ++K)
      // NEW: AS[Row * 52 + (K ^ (Row >> 2 & 3))]
      Sum += AS[Row * 52 + K] * BS[K * 52 + Column];
    C[Row * 52 + Column] = Sum;
  }
}

// Longer rows take no instruction: they are good for one warp, too.
// NEW-LABEL: void padded(
__global__ void padded(double *C, const double *A) {
  // NEW: AS[52][52 + 1]
  __shared__ double AS[52][52];
  for (int I = 0; I < 52; ++I)
    AS[I][threadIdx.x] = A[I * 32 + threadIdx.x];
  __syncthreads();
  double Sum = 0;
#pragma unroll 1
  for (int K = 0; K < 32; ++K)
    Sum += AS[threadIdx.x][K];
  C[threadIdx.x] = Sum;
}

// Nobody knows how many blocks fit where the launch does not tell the memory.
// NEW-LABEL: void unknownMemory(
__global__ void unknownMemory(double *C, const double *A) {
  __shared__ double AS[2704];
  extern __shared__ double Rest[];
  for (int I = threadIdx.x; I < 2704; I += 32)
    AS[I] = A[I];
  __syncthreads();
  double Sum = 0;
#pragma unroll 1
  for (int K = 0; K < 52; ++K)
    // NEW: AS[threadIdx.x * 52 + (K ^ (threadIdx.x >> 2 & 3))]
    Sum += AS[threadIdx.x * 52 + K] * Rest[K];
  C[threadIdx.x] = Sum;
}

void launch(double *C, const double *A, const double *B, int Number,
            size_t Bytes) {
  product<<<dim3(2, 52, Number), 32>>>(C, A, B);
  productWide<<<dim3(2, Number), dim3(32, 13)>>>(C, A, B);
  padded<<<1, 32>>>(C, A);
  unknownMemory<<<1, 32, Bytes>>>(C, A);
}
