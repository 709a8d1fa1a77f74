// REQUIRES: cuda
// RUN: echo 'const int rows = N;' > %t.first.h
// RUN: %cuda-opt %s -o %t.cu --verify=machine -- -arch=sm_90 -DN=16 -UN -DN=32 -DT=float '-Dsize(a)=(2 * (a))' -Dcount -include %t.first.h
// RUN: FileCheck %s < %t.cu
// RUN: %cuda-sim --quiet %t.cu -- -DN=32 -DT=float '-Dsize(a)=(2 * (a))' -Dcount -include %t.first.h | FileCheck %s --check-prefix=OUT
// RUN: %cuda-opt %s -o /dev/null -- -arch=sm_90 -D__CUDA_NO_HALF_OPERATORS__ -DNO_HALF 2>&1 | FileCheck %s --check-prefix=HALF
//
// Macros of the command line reach the program and not the headers that clang
// includes before its first line, which have parameters of that name; save those
// that configure headers.
#ifdef NO_HALF
#include <cuda_fp16.h>
// HALF: operator '+' is ambiguous
__device__ __half add(__half a, __half b) { return a + b; }
#else
#include <cstdio>

// CHECK: tile[N][N + 1];
__global__ void transpose(T *out, const T *in) {
  __shared__ T tile[N][N];
  int c = threadIdx.x, r = threadIdx.y;
  tile[r][c] = in[r * N + c];
  __syncthreads();
  out[r * N + c] = tile[c][r];
}

int main() {
  T *out, *in, host[rows * N];
  for (int i = 0; i < N * N; ++i)
    host[i] = i + count;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  transpose<<<1, dim3(N, N)>>>(out, in);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  // OUT: 66
  printf("%g\n", size(host[1]));
}
#endif
