// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass-missed -- %cuda-flags 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
//
// A copy that may pass its row, or a fragment whose lines are not the rows, keeps
// the array. Each kernel accesses it in a way that another layout would mend.

#include "cuda/copies.h"

using namespace nvcuda;
using Matrix = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
#define COLUMN tile[threadIdx.x][0]
#define LOAD(ROW, LD) wmma::load_matrix_sync(A, &tile[ROW][0], LD)

// CHECK: :[[@LINE+3]]:3: remark: {{.*}}: 'memcpy' copies more of it than one row
__global__ void twoRows(const float *In) {
  __shared__ float tile[32][32];
  memcpy(&tile[0][0], In, 256);
  COLUMN = 0;
}

// CHECK: :[[@LINE+3]]:10: remark: {{.*}}: 'memcpy' copies more of it than one row
__global__ void wholeArray(const float *In) {
  __shared__ float tile[32][32];
  memcpy(tile, In, 4096);
  COLUMN = 0;
}

// CHECK: :[[@LINE+3]]:3: remark: {{.*}}: what 'memcpy' copies cannot be proved
__global__ void oneDimension(const float *In) {
  __shared__ float s[1024];
  memcpy(&s[0], In, 4096);
  s[threadIdx.x * 32] = 0;
}

// CHECK: :[[@LINE+3]]:3: remark: {{.*}}: what 'memcpy' copies cannot be proved to stay inside a row
__global__ void unknownSize(const float *In, int N) {
  __shared__ float tile[32][32];
  memcpy(&tile[0][0], In, N);
  COLUMN = 0;
}

// CHECK: :[[@LINE+3]]:3: remark: {{.*}}: what 'memcpy_async' copies cannot be proved
__global__ void pastTheEnd(const float *In, cuda::barrier &B) {
  __shared__ float tile[32][32];
  cuda::memcpy_async(&tile[0][16], In, cuda::aligned_size_t<4>(68), B);
  COLUMN = 0;
}


// The address that memcpy returns escapes.
// CHECK: :[[@LINE+3]]:{{[0-9]+}}: remark: {{.*}}: {{it is passed to 'memcpy'|its address escapes}}
__global__ void result(const float *In) {
  __shared__ float tile[32][32];
  float *P = (float *)(memcpy(&tile[0][0], In, 4));
  COLUMN = *P;
}

// Padding would have to be a multiple of 16 bytes, a quarter of the row.
// CHECK: remark: {{.*}}: a function copies along its rows, from 'tile[0]' on
__global__ void alignment(const float *In, cuda::barrier &B) {
  __shared__ float tile[32][8];
  cuda::memcpy_async(tile[0], In, cuda::aligned_size_t<16>(32), B);
  tile[threadIdx.x][0] = tile[threadIdx.x][4];
}

// CHECK: :[[@LINE+4]]:43: remark: {{.*}}: the leading dimension '32' of a fragment is not known
__global__ void otherRows() {
  __shared__ half tile[64][64];
  Matrix A;
  wmma::load_matrix_sync(A, &tile[0][32], 32);
}

// CHECK: :[[@LINE+4]]:42: remark: {{.*}}: the leading dimension 'Ld' of a fragment is not known
__global__ void unknownRows(int Ld) {
  __shared__ half tile[64][64];
  Matrix A;
  wmma::load_matrix_sync(A, &tile[0][0], Ld);
}

// A line of 16 begins 8 before the end of the row.
// CHECK: :[[@LINE+4]]:3: remark: {{.*}}: what 'load_matrix_sync' copies cannot be proved
__global__ void pastTheRow() {
  __shared__ half tile[64][64];
  Matrix A;
  wmma::load_matrix_sync(A, &tile[0][56], 64);
}

// The leading dimension counts bits.
// CHECK: remark: {{.*}}: it is passed to 'load_matrix_sync'
__global__ void bits() {
  __shared__ int tile[64][128];
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::precision::b1,
                 wmma::row_major>
      A;
  wmma::load_matrix_sync(A, &tile[0][0], 128);
  COLUMN = 0;
}

// The leading dimension counts halves, the row pairs of them.
// CHECK: remark: {{.*}}: it is {{cast to|passed to}}
__global__ void otherElements() {
  __shared__ float tile[64][64];
  Matrix A;
  wmma::load_matrix_sync(A, (half *)&tile[0][0], 64);
  COLUMN = 0;
}

// CHECK: remark: {{.*}}: macro 'LOAD' writes the text that would change
__global__ void inMacro() {
  __shared__ half tile[64][64];
  Matrix A;
  LOAD(0, 32 * 2);
}

void launch(const float *In, int N, cuda::barrier &B) {
  twoRows<<<1, 32>>>(In);
  wholeArray<<<1, 32>>>(In);
  oneDimension<<<1, 32>>>(In);
  unknownSize<<<1, 32>>>(In, N);
  pastTheEnd<<<1, 32>>>(In, B);
  result<<<1, 32>>>(In);
  alignment<<<1, 32>>>(In, B);
  otherRows<<<1, 256>>>();
  unknownRows<<<1, 256>>>(N);
  pastTheRow<<<1, 256>>>();
  bits<<<1, 256>>>();
  otherElements<<<1, 256>>>();
  inMacro<<<1, 256>>>();
}
