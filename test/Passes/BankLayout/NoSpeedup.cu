// RUN: %cuda-opt --passes=bank-layout -Rpass=bank-layout -Rpass-missed=bank-layout %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout --layout=xor -Rpass=bank-layout -Rpass-missed=bank-layout %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: %clang-plugin -fplugin-arg-cudaopt-passes=bank-layout -Rpass=bank-layout -Rpass-missed=bank-layout %s 2>&1 | FileCheck %s
//
// A layout that adds instructions is taken if the kernel as a whole gets faster.
#include "cuda.h"

// The arithmetic takes so long that conflicts do not matter.
// CHECK: remark: shared array 'few' keeps its layout: the better layout adds instructions, and does not make the kernel faster: 1.00 of the time is predicted; busy are issue slots for {{[0-9]+}}% of it, shared memory for {{[0-9]+}}%
// ASKED: remark: shared array 'few' is stored as
__global__ void arithmetic(float *out, const float *in) {
  __shared__ float few[1024];
  const int t = threadIdx.x;
  float x = in[t];
  for (int i = 0; i < 2000; ++i)
    x = x * x + 0.5f;
  for (int i = 0; i < 8; ++i)
    few[8 * t + i] = x + i;
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    out[128 * i + t] = few[128 * i + t];
}

// The conflicts matter, but in a loop that is not unrolled, each access of the
// rewritten text takes instructions.
// CHECK: remark: shared array 'rolled' keeps its layout: the better layout adds instructions, and does not make the kernel faster: 1.{{[0-9]+}} of the time is predicted
// ASKED: remark: shared array 'rolled' is stored as
__global__ void instructions(unsigned *out, const unsigned *in) {
  __shared__ unsigned rolled[1024];
  const unsigned t = threadIdx.x;
  unsigned x = in[t];
#pragma unroll 1
  for (unsigned i = 0; i < 64; ++i) {
    rolled[(2 * t + i) & 1023] = x;
    x ^= x << 13;
    x ^= x >> 17;
  }
  __syncthreads();
  out[t] = rolled[t] + x;
}

// In unrolled code, the added instructions are numbers.
// CHECK: remark: shared array 'unrolled' is stored as
// ASKED: remark: shared array 'unrolled' is stored as
__global__ void unrolled_steps(float *out, const float *in) {
  __shared__ float unrolled[1024];
  const int t = threadIdx.x;
  unrolled[t] = in[t];
  float sum = 0;
  for (int round = 0; round < 8; ++round) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; ++i)
      sum += unrolled[(t & 31) * 32 + i];
  }
  out[t] = sum;
}

void launch(float *f, unsigned *u) {
  arithmetic<<<100, 128>>>(f, f);
  instructions<<<100, 256>>>(u, u);
  unrolled_steps<<<100, 1024>>>(f, f);
}
