// REQUIRES: cuda
// RUN: %cuda-opt --passes=bank-layout --cuda-path=%cuda-path --verify=machine -Rpass=.* %s -o %t.cu -DCOPIES -- -std=c++17 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: %cuda-opt --passes=bank-layout --cuda-path=%cuda-path --quiet %s -o %t.cu -- -std=c++17
// RUN: grep -v '//' %t.cu | FileCheck %s
// RUN: %cuda-path/bin/nvcc -std=c++17 -arch=sm_90 -cubin -o %t.cubin %t.cu
//
// The copies and fragments of the toolkit's headers are those that are known, and
// what becomes of their calls compiles. No fragment runs on the interpreter.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

// PROVED: remark: rewrite of kernel 'chunks' verified: proved equal for all data
// CHECK-LABEL: void chunks(
// CHECK: __pipeline_memcpy_async(&tile[I / 4][I % 4 * 8 ^ (((I / 4) >> 1 & 3) << 3)],
__global__ void chunks(float4 *Out, const half *In) {
  __shared__ __align__(16) half tile[64][32];
  for (int I = threadIdx.x; I < 256; I += 32)
    __pipeline_memcpy_async(&tile[I / 4][I % 4 * 8], &In[I * 8], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int K = 0; K < 4; ++K)
    Out[threadIdx.x * 4 + K] =
        *reinterpret_cast<float4 *>(&tile[threadIdx.x][K * 8]);
}

#ifndef COPIES
// CHECK-LABEL: void rows(
// CHECK: float tile[32][32 + 4];
__global__ void rows(float *Out, const float *In) {
  __shared__ float tile[32][32];
  cg::thread_block Block = cg::this_thread_block();
  for (int R = 0; R < 32; ++R)
    cg::memcpy_async(Block, &tile[R][0], In + R * 32, sizeof(float) * 32);
  cg::wait(Block);
  for (int C = 0; C < 32; ++C)
    Out[C * 256 + threadIdx.x] = tile[threadIdx.x % 32][C];
}

// CHECK-LABEL: void piped(
// CHECK: cuda::memcpy_async(&tile[I / 16][I % 16 * 4 ^ ((I / 16 & 7) << 2)],
__global__ void piped(float *Out, const float *In) {
  __shared__ float tile[32][64];
  cuda::pipeline<cuda::thread_scope_thread> Pipe = cuda::make_pipeline();
  Pipe.producer_acquire();
  for (int I = threadIdx.x; I < 512; I += 32)
    cuda::memcpy_async(&tile[I / 16][I % 16 * 4], &In[I * 4],
                       cuda::aligned_size_t<16>(16), Pipe);
  Pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(Pipe);
  __syncthreads();
  for (int C = 0; C < 64; ++C)
    Out[C * 32 + threadIdx.x] = tile[threadIdx.x][C];
}

// CHECK-LABEL: void multiply(
// CHECK: half a[64][64 + 8];
// CHECK: float c[64][64 + {{[0-9]+}}];
// CHECK: wmma::load_matrix_sync(A, &a[Row][K], 64 + 8);
// CHECK: wmma::store_matrix_sync(&c[Row][0], C, 64 + {{[0-9]+}}, wmma::mem_row_major);
__global__ void multiply(float *Out, const half *In) {
  __shared__ __align__(32) half a[64][64];
  __shared__ __align__(32) float c[64][64];
  const int Row = threadIdx.x / 32 % 4 * 16;
  for (int I = threadIdx.x; I < 4096; I += 256)
    a[I / 64][I % 64] = In[I];
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
  wmma::fill_fragment(C, 0.0f);
  for (int K = 0; K < 64; K += 16) {
    wmma::load_matrix_sync(A, &a[Row][K], 64);
    wmma::load_matrix_sync(B, &a[0][K], 64);
    wmma::mma_sync(C, A, B, C);
  }
  wmma::store_matrix_sync(&c[Row][0], C, 64, wmma::mem_row_major);
  __syncthreads();
  for (int I = threadIdx.x; I < 1024; I += 256)
    Out[I] = c[I / 16][I % 16];
}
#endif

void launch(float *Out, const half *In) {
  chunks<<<1, 32>>>((float4 *)Out, In);
#ifndef COPIES
  rows<<<1, 256>>>(Out, Out);
  piped<<<1, 32>>>(Out, Out);
  multiply<<<1, 256>>>(Out, In);
#endif
}
