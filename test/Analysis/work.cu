// RUN: %cuda-opt --print=work %s -- %cuda-flags | FileCheck %s
//
// What a block executes is counted in optimized code. Integers among the arguments
// serve for addresses, but loops whose end they tell run ten times and once more.
#include "cuda.h"

// Four warps load and store 128 bytes, and meet at a barrier; the columns of the
// tile lie in one bank.
// CHECK: work of _Z9transposePfPKf: {{[0-9]+}} instructions
// CHECK-SAME: 16 shared requests in 264 wavefronts
// CHECK-SAME: 16 global requests of 64 sectors in 16 lines, 64 different sectors, 64 of the block alone, 4 barriers;
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < 8; i += 4)
    tile[y + i][x] = in[blockIdx.x * 256 + (y + i) * 32 + x];
  __syncthreads();
  for (int i = 0; i < 8; i += 4)
    out[blockIdx.x * 256 + (y + i) * 32 + x] = tile[x][y + i];
}

// The rows of a matrix: each lane has a line of its own; the block beside it reads
// the same vector.
// CHECK: work of _Z5sumOfPfPKfS1_i: {{.*}} 260 global requests of 4240 sectors
// CHECK-SAME: 532 different sectors, 528 of the block alone, 128 barriers;
__global__ void sumOf(float *out, const float *matrix, const float *vector,
                      int n) {
  int row = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 32; ++i) {
    sum += matrix[row * n + i] * vector[i];
    __syncthreads();
  }
  out[row] = sum;
}

// 11 iterations of 4 warps.
// CHECK: work of _Z6repeatPfi: {{.*}} 44 barriers (estimated)
__global__ void repeat(float *out, int n) {
  for (int i = 0; i < n; ++i) {
    out[blockIdx.x * 128 + threadIdx.x] += i;
    __syncthreads();
  }
}

// Neighbouring floats of a thread become requests of 16 bytes.
// CHECK: work of _Z6mergedPf: {{.*}} 8 shared requests in 32 wavefronts
__global__ void merged(float *out) {
  __shared__ float s[512];
  for (int i = 0; i < 4; ++i)
    s[4 * threadIdx.x + i] = i;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += s[4 * (127 - threadIdx.x) + i];
  out[threadIdx.x] = sum;
}

struct __align__(16) Four {
  float x, y, z, w;
};
// Copies of structs are requests of 16 bytes.
// CHECK: work of _Z6copiedP4FourPKS_: {{.*}} 4 shared requests in 16 wavefronts, 4 global requests of 64 sectors
// CHECK-SAME: 2 barriers;
__global__ void copied(Four *out, const Four *in) {
  __shared__ Four a[64];
  a[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x ^ 1];
}

// What assembly accesses is not seen.
// CHECK: work of _Z8assemblyPf: {{.*}} (estimated);
__global__ void assembly(float *out) {
  float x;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(out) : "memory");
  out[threadIdx.x] = x;
}

void launch(float *f, Four *four) {
  transpose<<<100, dim3(32, 4)>>>(f, f);
  sumOf<<<100, 128>>>(f, f, f, 77);
  repeat<<<100, 128>>>(f, 5);
  merged<<<1, 128>>>(f);
  copied<<<1, 64>>>(four, four);
  assembly<<<1, 64>>>(f);
}
