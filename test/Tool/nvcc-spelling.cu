// REQUIRES: cuda
// RUN: %cuda-opt %s -o %t.cu --verify=machine -- -arch=sm_90
// RUN: FileCheck %s < %t.cu
// RUN: grep -v tile %s > %t.before
// RUN: grep -v tile %t.cu | diff - %t.before
// RUN: %cuda-sim --quiet %t.cu | FileCheck %s --check-prefix=OUT
//
// nvcc accepts launches with blanks and assembly without commas: so do we, and leave
// their text as it is.
#include <cstdio>

// CHECK: tile[32][32 + 1];
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = tile[x][y];
}

// CHECK: ::"r"(v) "l"(p) : "memory");
__device__ void store(unsigned *p) {
  unsigned v = 1;
  asm volatile("st.global.u32 [%1], %0;" ::"r"(v) "l"(p) : "memory");
}

int main() {
  float *out, *in, host[1024];
  for (int i = 0; i < 1024; ++i)
    host[i] = i;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  // CHECK: transpose << <1, dim3(32, 32)>> >(out, in);
  transpose << <1, dim3(32, 32)>> >(out, in);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  // OUT: 32
  printf("%g\n", host[1]);
}
