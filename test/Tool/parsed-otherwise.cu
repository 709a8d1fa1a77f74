// REQUIRES: cuda
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %cuda-opt --passes=shared-reuse --print=plan declaration.cu -- -arch=sm_90 2>&1 | FileCheck --check-prefix=DECLARATION %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan version.cu -- -arch=sm_90 2>&1 | FileCheck --check-prefix=VERSION %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan version.cu -- -arch=sm_90 -DINCLUDES | FileCheck --check-prefix=SHARED %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan type.cu -- -arch=sm_90 2>&1 | FileCheck --check-prefix=TYPE %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan type.cu -- -arch=sm_90 -DCOPIES | FileCheck --check-prefix=SHARED %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan noexcept.cu -- -arch=sm_90 2>&1 | FileCheck --check-prefix=NOEXCEPT %s
// RUN: %cuda-opt --passes=shared-reuse --print=plan power.cu -- -arch=sm_90 2>&1 | FileCheck --check-prefix=POWER %s
//
// Where clang does not see the program that nvcc compiles, nothing changes.
// DECLARATION: clang does not accept the declaration at declaration.cu:2
// VERSION: it asks for 'CUDA_VERSION' (version.cu:5)
// TYPE: it uses 'threadIdx', or its like, as a whole at type.cu:7
// NOEXCEPT: it asks 'noexcept' (noexcept.cu:4) of a call
// POWER: 'pow(in[t], 2) * in[t + 64]' might be rounded together with a sum
// SHARED: storage (a | b)

//--- phases.h
#define PHASES                                                                 \
  int t = threadIdx.x;                                                         \
  a[t] = in[t];                                                                \
  __syncthreads();                                                             \
  out[t] = a[t ^ 1];                                                           \
  __syncthreads();                                                             \
  b[t] = in[t + 8192];                                                         \
  __syncthreads();                                                             \
  out[t + 8192] = b[t ^ 1];
//--- declaration.cu
#include "phases.h"
__device__ float last(auto p) { return p[threadIdx.x]; }
__global__ void k(float *out, const float *in) {
  __shared__ float a[4096];
  __shared__ float b[4096];
  PHASES
  out[t] = last(a);
}
void launch(float *o, const float *i) { k<<<1, 1024>>>(o, i); }
//--- version.cu
#include "phases.h"
#ifdef INCLUDES
#include <cuda.h>
#endif
#if CUDA_VERSION >= 9000
#define LAST
#else
#define LAST out[t] = a[t];
#endif
__global__ void k(float *out, const float *in) {
  __shared__ float a[4096];
  __shared__ float b[4096];
  PHASES
  LAST
}
void launch(float *o, const float *i) { k<<<1, 1024>>>(o, i); }
//--- type.cu
#include "phases.h"
#ifdef COPIES
__device__ float last(const float *p) { const uint3 i = threadIdx; return i.x + (p ? 1 : 0); }
#else
template <class T> __device__ float last(const T &, const float *) { return 0; }
__device__ float last(const uint3 &i, const float *p) { return p[i.x]; }
__device__ float last(const float *p) { return last(threadIdx, p); }
#endif
__global__ void k(float *out, const float *in) {
  __shared__ float a[4096];
  __shared__ float b[4096];
  PHASES
  out[t] += last(in);
}
void launch(float *o, const float *i) { k<<<1, 1024>>>(o, i); }
//--- noexcept.cu
#include "phases.h"
__global__ void k(float *out, const float *in) {
  __shared__ float a[4096], b[4096];
  out[0] = noexcept(__syncthreads());
  PHASES
}
void launch(float *o, const float *i) { k<<<1, 1024>>>(o, i); }
//--- power.cu
__global__ void k(double *out, const float *in) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = pow(in[t], 2) * in[t + 64];
  __syncthreads();
  out[t] = s[t] + in[t];
}
static void launch(double *o, const float *i) { k<<<1, 64>>>(o, i); }
