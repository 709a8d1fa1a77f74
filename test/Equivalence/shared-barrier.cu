// REQUIRES: cuda
// RUN: %cuda-opt --verify=machine -Rpass=.* -o %t.cu --cuda-path=%cuda-path %s 2>&1 | FileCheck %s
//
// A shared barrier, which clang alone refuses, keeps no other kernel of the
// file from being checked.
//
// CHECK: rewrite of kernel 'transpose' verified: proved equal for all data

#include <cuda/barrier>

__global__ void exchange(float *out, const float *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ float s[64];
  if (threadIdx.x == 0)
    init(&bar, 64);
  __syncthreads();
  s[threadIdx.x] = in[threadIdx.x];
  bar.arrive_and_wait();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = tile[x][y];
}

void launch(float *out, const float *in) {
  exchange<<<1, 64>>>(out, in);
  transpose<<<1, dim3(32, 32)>>>(out, in);
}
