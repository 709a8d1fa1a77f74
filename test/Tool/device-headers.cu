// REQUIRES: cuda
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cuda-opt --passes=shared-reuse --print=plan turns.cu -- -arch=sm_90 -isystem system | FileCheck --check-prefix=TURNS %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan turns.cu -- -arch=sm_90 -isystem system -DSAYS_SO -I system | FileCheck --check-prefix=TURNS %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan leave.cu -- -arch=sm_90 -isystem system | FileCheck --check-prefix=LEAVE %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan preprocessed.cu -- -arch=sm_90 | FileCheck --check-prefix=LEAVE %s
// RUN: %cuda-opt -Rpass=bank-layout preprocessed.cu -o /dev/null -- -arch=sm_90 2>&1 | FileCheck --check-prefix=LINES %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan unseen.cu -- -arch=sm_90 -isystem system | FileCheck --check-prefix=TURNS %s
//
// Functions of the user do what they do, wherever their headers are said to be.
// TURNS: share s: it is right only for the launches in this file
// LEAVE: storage: bytes 32768 -> 2048,
// LINES: preprocessed.cu:26:20: remark: shared array 'tile' is stored as [32][33]

//--- system/turn.h
#ifdef SAYS_SO
#pragma GCC system_header
#endif
static __device__ unsigned turn[64];
static __device__ float await(float phase) {
  while (atomicAdd(&turn[threadIdx.x], 0u) != (unsigned)phase)
    ;
  __threadfence();
  return phase;
}
static __device__ float advance(float x) {
  __threadfence();
  atomicAdd(&turn[threadIdx.x], 1u);
  return x;
}
//--- turns.cu
#include <turn.h>
__global__ void k(float *out, const float *in) {
  __shared__ float s[64];
  int t = threadIdx.x, y = threadIdx.y;
  float p = await(y);
  s[t] = in[y * 64 + t];
  p += advance(p);
  p += await(2);
  out[y * 64 + t] = s[t];
}
void launch(float *o, const float *i) { k<<<1, 64>>>(o, i); }
//--- system/leave.h
static __device__ float leaveIf(float x) {
  if (x > 0)
    asm volatile("exit;");
  return x;
}
//--- leave.cu
#include <leave.h>
static __global__ void k(float *out, const float *in) {
  __shared__ float a[4096];
  __shared__ float b[4096];
  int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  if (in[t] > 0) {
    out[t + 512] = a[255 - t];
    leaveIf(in[t]);
  }
  __syncthreads();
  b[t] = in[t + 256];
  __syncthreads();
  out[t] = b[t ^ 1];
}
void launch(float *o, const float *i) { k<<<1, 256>>>(o, i); }
//--- system/unseen.h
__device__ float unseen(float);
//--- unseen.cu
#include <unseen.h>
__global__ void k(float *out, const float *in) {
  __shared__ float s[64];
  int t = threadIdx.x, y = threadIdx.y;
  float p = unseen(y);
  s[t] = in[y * 64 + t];
  p += unseen(y);
  out[y * 64 + t] = s[t];
}
void launch(float *o, const float *i) { k<<<1, 64>>>(o, i); }
//--- preprocessed.cu
# 1 "system/leave.h" 1 3
static __attribute__((device)) float leaveIf(float x) {
  if (x > 0)
    asm volatile("exit;");
  return x;
}
# 2 "preprocessed.cu" 2
static __global__ void k(float *out, const float *in) {
  __shared__ float a[4096];
  __shared__ float b[4096];
  int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  if (in[t] > 0) {
    out[t + 512] = a[255 - t];
    leaveIf(in[t]);
  }
  __syncthreads();
  b[t] = in[t + 256];
  __syncthreads();
  out[t] = b[t ^ 1];
}
void launch(float *o, const float *i) { k<<<1, 256>>>(o, i); }
template <int W> __global__ void transpose(float *out, const float *in) {
# 42 "preprocessed.cu"
  __shared__ float tile[W][W];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * W + x];
  __syncthreads();
  out[y * W + x] = tile[x][y];
}
void launchTranspose(float *out, const float *in) {
  transpose<32><<<1, dim3(32, 32)>>>(out, in);
}
