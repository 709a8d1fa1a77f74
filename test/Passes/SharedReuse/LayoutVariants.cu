// RUN: %cuda-opt --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=ALONE
// RUN: %cuda-opt --passes=bank-layout,shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=bank-layout,shared-reuse --verify=machine -Rpass=.* %s -- %cuda-flags 2>%t.err | grep -v '^ *//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=EQUAL --input-file=%t.err
//
// Where arrays share bytes, their layouts are chosen for the bytes that they then
// need.
#include "cuda.h"

// A macro writes the subscript: no xor.
#define FILL(A, ROWS, VALUE)                                                   \
  for (int i = threadIdx.x / 32; i < ROWS; i += blockDim.x / 32)               \
    A[i][threadIdx.x % 32] = VALUE;

// In 13568 bytes 16 blocks fit, and fewer if rows get longer: xor takes no bytes.
// ALONE-LABEL: plan costs_step
// ALONE-NEXT: layout tile [106][32] -> [106][32] transposed, pitch 107: wavefronts 1258 -> 238
// PLAN-LABEL: plan costs_step
// PLAN-NEXT: layout tile [106][32] -> [106][32] c ^ (r & 31): wavefronts 1258 -> 238
// PLAN-NEXT: keep late
// PLAN-NEXT: storage (tile | late): bytes 27136 -> 13568, bound 13568; blocks 8 -> 16
// EQUAL-DAG: rewrite of kernel 'costs_step' verified
// CHECK-LABEL: void costs_step(
// CHECK: float tile[106][32];
// CHECK: x += tile[threadIdx.x % 32][k ^ (threadIdx.x % 32 & 31)];
__global__ void costs_step(float *out, const float *in) {
  __shared__ float tile[106][32];
  __shared__ float late[106][32];
  for (int i = threadIdx.x / 32; i < 106; i += 4)
    tile[i][threadIdx.x % 32] = in[i * 32 + threadIdx.x % 32];
  __syncthreads();
  float x = tile[threadIdx.x % 32][threadIdx.x / 32];
  for (int k = 0; k < 32; ++k)
    x += tile[threadIdx.x % 32][k];
  __syncthreads();
  FILL(late, 106, x)
  __syncthreads();
  out[threadIdx.x] = late[105 - threadIdx.x % 32][threadIdx.x % 32];
}

// Longer rows alone would cost a block, but `late` hides them.
// ALONE-LABEL: plan hidden
// ALONE-NEXT: layout tile [64][64] -> [64][64] c ^ (r & 31)
// PLAN-LABEL: plan hidden
// PLAN-NEXT: layout tile [64][64] -> [64][65]
// PLAN: storage (tile | late): bytes 45520 -> 29136, bound 29136; blocks 5 -> 7
// EQUAL-DAG: rewrite of kernel 'hidden' verified
// CHECK-LABEL: void hidden(
// CHECK: float tile[64][64 + 1];
__global__ void hidden(float *out, const float *in) {
  __shared__ float tile[64][64];
  __shared__ float late[7000];
  __shared__ float other[284];
  int t = threadIdx.x, c = t % 32, r = t / 32;
  for (int i = r; i < 64; i += 8) {
    tile[i][c] = in[i * 64 + c];
    tile[i][c + 32] = in[i * 64 + c + 32];
  }
  other[t] = in[t];
  __syncthreads();
  float x = other[255 - t];
  for (int i = r; i < 64; i += 8)
    for (int j = 0; j < 2; j++)
      x += tile[c + j * 32][i];
  __syncthreads();
  for (int i = t; i < 7000; i += 256)
    late[i] = x;
  __syncthreads();
  out[t] = late[6999 - t] + other[t];
}

// Only longer rows are legal. They win more than the block that they cost.
// PLAN-LABEL: plan worth_a_block
// PLAN-NEXT: layout tile [106][32] -> [106][33]
// PLAN: storage (tile | late): bytes 27136 -> 13992, bound 13992; blocks 8 -> 15
// EQUAL-DAG: rewrite of kernel 'worth_a_block' verified
__global__ void worth_a_block(float *out, const float *in) {
  __shared__ float tile[106][32];
  __shared__ float late[106][32];
  FILL(tile, 106, in[i * 32 + threadIdx.x % 32])
  __syncthreads();
  float *row = tile[threadIdx.x % 32];
  float x = row[threadIdx.x / 32];
  __syncthreads();
  FILL(late, 106, x)
  __syncthreads();
  out[threadIdx.x] = late[105 - threadIdx.x % 32][threadIdx.x % 32];
}

// They win too little for it.
// ALONE-LABEL: plan not_worth_a_block
// ALONE-NEXT: layout tile [106][32] -> [106][33]
// PLAN-LABEL: plan not_worth_a_block
// PLAN-NEXT: keep tile: the better layout leaves room for fewer blocks
// PLAN: storage (tile | late): bytes 27136 -> 13568, bound 13568; blocks 8 -> 16
// EQUAL-DAG: rewrite of kernel 'not_worth_a_block' verified
__global__ void not_worth_a_block(float *out, const float *in) {
  __shared__ float tile[106][32];
  __shared__ float late[106][32];
  FILL(tile, 106, in[i * 32 + threadIdx.x % 32])
  __syncthreads();
  float *row = tile[threadIdx.x % 32];
  float x = row[threadIdx.x / 32];
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 106; k++)
      x += tile[k][(threadIdx.x + i) % 32];
  __syncthreads();
  FILL(late, 106, x)
  __syncthreads();
  out[threadIdx.x] = late[105 - threadIdx.x % 32][threadIdx.x % 32];
}

// Too many combinations to try all: the arrays get their layouts one by one. All
// but the largest one have room for longer rows.
// PLAN-LABEL: plan many
// PLAN-NEXT: layout a [32][32] -> [32][33]
// PLAN-NEXT: layout b [32][32] -> [32][33]
// PLAN-NEXT: layout c1 [32][32] -> [32][33]
// PLAN-NEXT: layout d [32][32] -> [32][33]
// PLAN-NEXT: layout e [32][32] -> [32][33]
// PLAN-NEXT: layout f [32][32] -> [32][33]
// PLAN-NEXT: layout tile [106][32] -> [106][32] c ^
// PLAN-NEXT: storage ({{.*}}): bytes {{[0-9]+}} -> 13568, bound 13568; blocks {{[0-9]}} -> 16
// PLAN-NEXT: layouts chosen one by one: {{[0-9]+}} combinations are too many
// EQUAL-DAG: rewrite of kernel 'many' verified
__global__ void many(float *out, const float *in) {
  __shared__ float a[32][32];
  __shared__ float b[32][32];
  __shared__ float c1[32][32];
  __shared__ float d[32][32];
  __shared__ float e[32][32];
  __shared__ float f[32][32];
  __shared__ float tile[106][32];
  int c = threadIdx.x % 32, r = threadIdx.x / 32;
  float x = in[threadIdx.x];
  for (int i = r; i < 32; i += 4)
    a[i][c] = x + i;
  __syncthreads();
  x += a[c][r];
  __syncthreads();
  for (int i = r; i < 32; i += 4)
    b[i][c] = x + i;
  __syncthreads();
  x += b[c][r];
  __syncthreads();
  for (int i = r; i < 32; i += 4)
    c1[i][c] = x + i;
  __syncthreads();
  x += c1[c][r];
  __syncthreads();
  for (int i = r; i < 32; i += 4)
    d[i][c] = x + i;
  __syncthreads();
  x += d[c][r];
  __syncthreads();
  for (int i = r; i < 32; i += 4)
    e[i][c] = x + i;
  __syncthreads();
  x += e[c][r];
  __syncthreads();
  for (int i = r; i < 32; i += 4)
    f[i][c] = x + i;
  __syncthreads();
  x += f[c][r];
  __syncthreads();
  for (int i = r; i < 106; i += 4)
    tile[i][c] = x + i;
  __syncthreads();
  x += tile[c][r];
  out[threadIdx.x] = x + tile[c + 74][r];
}

void launch(float *out, const float *in) {
  costs_step<<<1, 128>>>(out, in);
  hidden<<<1, 256>>>(out, in);
  worth_a_block<<<1, 128>>>(out, in);
  not_worth_a_block<<<1, 128>>>(out, in);
  many<<<1, 128>>>(out, in);
}
