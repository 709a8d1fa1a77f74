// RUN: %cuda-opt %s -Rpass=.* -Rpass-missed=.* -o %t.cu -- %cuda-flags -fgpu-rdc 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: grep -v "//" %t.cu | FileCheck %s
// RUN: %cuda-opt %s -- %cuda-flags 2>/dev/null | grep -v "//" | FileCheck %s --check-prefix=WHOLE
//
// The device's linker keeps one of the functions that several files define.

#include "cuda.h"

// A copy is that of its file only.
// CHECK:      inline __device__ float get(const float *p, int i) { return p[i]; }
// CHECK:      static inline __device__ float {{get_}}swizzled(const float *p, int i) {
inline __device__ float get(const float *p, int i) { return p[i]; }
template <class P> __device__ float put(P p, int i) { return p[i] = i; }
// CHECK:      template <class P> static __device__ float {{put_}}swizzled(P p, int i) {

// A kernel that only this file knows has another name for the linker.
// CHECK: static __global__ void copies
static __global__ void copies(float *out) {
  __shared__ float tile[1024];
  const int x = threadIdx.x, y = threadIdx.y;
  put(tile, y * 32 + x);
  __syncthreads();
  out[y * 32 + x] = get(tile, x * 32 + y);
}

// Another file's launches may run this instance: who has an element is not
// known.
// REMARK: another file may launch 'ofSeveral' with another block
// CHECK: __shared__ T own[64];
// WHOLE-NOT: T own[64];
template <class T> __global__ void ofSeveral(T *out, const T *in) {
  __shared__ T own[64];
  const int t = threadIdx.x;
  if (t < 64)
    own[t] = in[t];
  __syncthreads();
  out[t] = own[t % 64];
}

void launch(float *out) {
  copies<<<1, dim3(32, 32)>>>(out);
  ofSeveral<<<1, 64>>>(out, out);
}
