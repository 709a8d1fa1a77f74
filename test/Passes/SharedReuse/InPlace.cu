// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --reuse=bytes --verify=machine -Rpass=.* %s -- %cuda-flags 2>%t.err | grep -v '^ *//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROVED --input-file=%t.err
//
// Two arrays share bytes without a barrier between them if each thread overwrites
// in the one what it alone has read in the other before.
#include "cuda.h"

// PROVED-DAG: :[[#@LINE+12]]:20: remark: shared arrays 'first' and 'second' share bytes without a barrier
// PROVED-DAG: rewrite of kernel 'element_wise' verified
// PLAN-LABEL: plan element_wise
// PLAN: storage (first | second): bytes 512 -> 256, bound 256; blocks {{.*}}; barriers added 0
// PLAN-NEXT: in place first second
// CHECK-LABEL: void element_wise(
// CHECK-NEXT: __shared__ union {
// CHECK-NEXT:   float first[64];
// CHECK-NEXT:   float second[64];
// CHECK-NEXT: } reused;
__global__ void element_wise(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[t] = in[t];
  __syncthreads();
  float x = first[63 - t];
  __syncthreads();
  first[t] = x + first[t];
  __syncthreads();
  second[t] = first[t] * 2;
  __syncthreads();
  out[t] = second[63 - t];
}

// A thread takes several elements, in two statements.
// PROVED-DAG: rewrite of kernel 'strided' verified
// PLAN-LABEL: plan strided
// PLAN: storage (first | second): bytes 2048 -> 1024
// PLAN-NEXT: in place first second
__global__ void strided(float *out, const float *in) {
  __shared__ float first[16][16];
  __shared__ float second[16][16];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += 64)
    first[i / 16][i % 16] = in[i];
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    float x = first[i * 4 + t / 16][t % 16];
    if (x > 0)
      x = 1 / x;
    second[i * 4 + t / 16][t % 16] = x;
  }
  __syncthreads();
  for (int i = 0; i < 4; i++)
    out[t * 4 + i] = second[t % 16][t / 16 * 4 + i];
}

// Three arrays, each made of the one before: one set of bytes.
// PROVED-DAG: rewrite of kernel 'chain' verified
// PLAN-LABEL: plan chain
// PLAN: storage (first | second | third): bytes 768 -> 256
// PLAN-NEXT: in place first second
// PLAN-NEXT: in place second third
__global__ void chain(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  __shared__ float third[64];
  int t = threadIdx.x;
  first[t ^ 1] = in[t];
  __syncthreads();
  second[t] = first[t] + 1;
  __syncthreads();
  float x = second[t ^ 2];
  __syncthreads();
  second[t] = x;
  third[t] = second[t] * x;
  __syncthreads();
  out[t] = third[63 - t];
}

// Round a loop, both arrays die in turn. Behind it, a barrier keeps those apart who
// have left it.
// PROVED-DAG: rewrite of kernel 'turns' verified
// PLAN-LABEL: plan turns
// PLAN: storage (first | second): bytes 512 -> 256
// PLAN-NEXT: in place first second
__global__ void turns(float *out, const float *in) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[63 - t] = in[t];
  __syncthreads();
  for (int k = 0; k < 3; k++) {
    second[t] = first[t] + k;
    __syncthreads();
    float x = second[t ^ 1];
    __syncthreads();
    second[t] = x;
    __syncthreads();
    first[t] = second[t] * 2;
    __syncthreads();
  }
  __syncthreads();
  out[t] = first[63 - t];
}

struct alignas(16) Quad {
  float x, y, z, w;
};

// Elements of another size whose bytes line up.
// PROVED-DAG: rewrite of kernel 'wider' verified
// PLAN-LABEL: plan wider
// PLAN: storage ({{quads [|] single|single [|] quads}}): bytes 2048 -> 1024
// PLAN-NEXT: in place
__global__ void wider(float *out, const float *in) {
  __shared__ Quad quads[64];
  __shared__ float single[256];
  int t = threadIdx.x;
  quads[63 - t].x = in[t];
  quads[63 - t].y = in[t] + 1;
  quads[63 - t].z = in[t] + 2;
  quads[63 - t].w = in[t] + 3;
  __syncthreads();
  float x = quads[t].x, y = quads[t].y, z = quads[t].z, w = quads[t].w;
  single[t * 4] = y;
  single[t * 4 + 1] = x;
  single[t * 4 + 2] = w;
  single[t * 4 + 3] = z;
  __syncthreads();
  for (int i = 0; i < 4; i++)
    out[t * 4 + i] = single[i * 64 + 63 - t];
}

void launch(float *out, const float *in) {
  element_wise<<<1, 64>>>(out, in);
  strided<<<1, 64>>>(out, in);
  chain<<<1, 64>>>(out, in);
  turns<<<1, 64>>>(out, in);
  wider<<<1, 64>>>(out, in);
}
