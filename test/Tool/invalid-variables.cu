// RUN: %cuda-opt %s -o %t.cu -Rpass-missed=. -- %cuda-flags 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
// RUN: %cuda-opt %s -o %t.deduced.cu -- %cuda-flags -DDEDUCED 2>&1 | FileCheck %s --check-prefix=DEDUCED
//
// Clang makes variables invalid whose constructor nvcc only warns of, and then
// no sense of their uses: the kernel stays, also where no code can be made of
// it, and nobody is told of an error.
#include "cuda.h"

#ifdef DEDUCED
// DEDUCED: clang reports 1 error
// DEDUCED: 1 kernel, 0 arrays rewritten, 1 kept (code-disagrees)
template <class T> __device__ auto f(T x) { return x.nope(); }
#else
struct Barrier {
  int count;
  __device__ Barrier() : count(3) {}
  __device__ void wait() {}
};
__device__ void init(Barrier *b, int n) { b->count = n; }
#endif

static __global__ void waits(float *out, const float *in) {
  // CHECK-NOT: error:
  // CHECK: shared array 'tile' keeps its layout: clang reports an error inside the kernel
  // CHECK: 1 kernel, 0 arrays rewritten, 1 kept (error-in-kernel)
  __shared__ float tile[32][32];
#ifdef DEDUCED
  out[0] = f(3);
#else
  __shared__ Barrier b;
  if (!threadIdx.x)
    init(&b, 1024);
#endif
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
#ifndef DEDUCED
  b.wait();
#endif
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void launch(float *out, const float *in) {
  waits<<<1, dim3(32, 32)>>>(out, in);
}
