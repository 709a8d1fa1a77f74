// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --quiet %s -o %t.cu -- %cuda-flags
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=model %s -- %cuda-flags | FileCheck %s --check-prefix=MODEL
//
// A fragment of a matrix is loaded from rows that lie farther apart, with a
// leading dimension that says so. Its lines begin at multiples of 16 bytes, the
// first one at one of 32.

#include "cuda/copies.h"

using namespace nvcuda;
template <class Use, class Order>
using Matrix = wmma::fragment<Use, 16, 16, 16, half, Order>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
constexpr int Ld = 64;

// Four times eight lines of 16 bytes in one bank group: 32 wavefronts each, and
// 4 with lines that are 16 bytes off.
// CHECK-LABEL: plan matrices
// CHECK-NEXT: layout a [64][64] -> [64][72]: wavefronts 1024 -> 128, bound 128: bound reached
// CHECK-NEXT: layout b [64][64] -> [64][72]: wavefronts 1024 -> 128, bound 128: bound reached
// MODEL-LABEL: kernel matrices
// MODEL: read 16 bytes {{.*}} copied along the row: 32 bytes, aligned to 16
// NEW-LABEL: void matrices(
// NEW: __shared__ half a[64][64 + 8];
// NEW: __shared__ half b[64][Ld + 8];
// NEW: wmma::load_matrix_sync(A, &a[Warp % 4 * 16][K], 64 + 8);
// NEW: wmma::load_matrix_sync(B, b[Warp / 4 * 16] + K, Ld + 8);
__global__ void matrices() {
  __shared__ half a[64][64];
  __shared__ half b[64][Ld];
  int Warp = threadIdx.x / 32;
  Matrix<wmma::matrix_a, wmma::row_major> A;
  Matrix<wmma::matrix_b, wmma::col_major> B;
  for (int K = 0; K < 64; K += 16) {
    wmma::load_matrix_sync(A, &a[Warp % 4 * 16][K], 64);
    wmma::load_matrix_sync(B, b[Warp / 4 * 16] + K, Ld);
  }
}

// Eight bytes a lane, in lines of four lanes.
// CHECK-LABEL: plan sums
// CHECK-NEXT: layout c [32][64] -> [32][72]: wavefronts 256 -> 64, bound 64: bound reached
// MODEL-LABEL: kernel sums
// MODEL-COUNT-4: write 8 bytes
// NEW-LABEL: void sums(
// NEW: float c[32][64 + 8];
// NEW: wmma::store_matrix_sync(&c[Warp / 4 * 16][Warp % 4 * 16], C, 64 + 8,
__global__ void sums() {
  __shared__ float c[32][64];
  int Warp = threadIdx.x / 32;
  Sum C;
  wmma::store_matrix_sync(&c[Warp / 4 * 16][Warp % 4 * 16], C, 64,
                          wmma::mem_row_major);
}

// Rows of one dimension.
// CHECK-LABEL: plan flat
// CHECK-NEXT: layout s [4096] -> [4600] pitch 72: wavefronts
// NEW-LABEL: void flat(
// NEW: s[64 * 64 + 504];
// NEW: wmma::load_matrix_sync(A, &s[threadIdx.x / 64 * 16 * (64 + 8) + K], 64 + 8);
__global__ void flat() {
  __shared__ half s[64 * 64];
  Matrix<wmma::matrix_a, wmma::col_major> A;
  for (int K = 0; K < 64; K += 16)
    wmma::load_matrix_sync(A, &s[threadIdx.x / 64 * 16 * 64 + K], 64);
}

// In an odd row, 16 bytes more would take the 32 bytes away: 16 more halves.
// CHECK-LABEL: plan oddRow
// CHECK-NEXT: layout a [64][64] -> [64][80]: wavefronts
__global__ void oddRow() {
  __shared__ half a[64][64];
  Matrix<wmma::matrix_a, wmma::row_major> A;
  wmma::load_matrix_sync(A, &a[threadIdx.x / 32][0], 64);
}

// Those of other shapes are not counted, and allow what others need.
// CHECK-LABEL: plan otherShape
// CHECK-NEXT: layout c [32][64] -> [32][68]: wavefronts
__global__ void otherShape(float4 *Out) {
  __shared__ float c[32][64];
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> C;
  wmma::store_matrix_sync(&c[0][0], C, 64, wmma::mem_col_major);
  for (int K = 0; K < 8; ++K)
    Out[K] = *reinterpret_cast<float4 *>(&c[threadIdx.x % 32][K * 4]);
}

// One text for all instances.
// CHECK-LABEL: plan templated
// CHECK-NEXT: layout a [64][64] -> [64][72]: wavefronts
// NEW: half a[64][N + 8];
// NEW: wmma::load_matrix_sync(A, &a[0][0], N + 8);
template <int N> __global__ void templated() {
  __shared__ half a[64][N];
  Matrix<wmma::matrix_a, wmma::row_major> A;
  wmma::load_matrix_sync(A, &a[0][0], N);
}

void launch(float4 *Out) {
  matrices<<<1, 256>>>();
  sums<<<1, 256>>>();
  flat<<<1, 256>>>();
  oddRow<<<1, 256>>>();
  otherShape<<<1, 256>>>(Out);
  templated<64><<<1, 256>>>();
  templated<128><<<1, 256>>>();
}
