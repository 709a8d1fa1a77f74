// RUN: %cuda-opt --passes=bank-layout --block=32,32 --print=plan %s -- %cuda-flags 2>&1 | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout --block=32,32 %s -o %t.cu -- %cuda-flags
// RUN: FileCheck %s --check-prefix=TEXT < %t.cu
//
// `cuda-opt off` and `cuda-opt on` enclose text that stays; `cuda-opt: ignore`
// keeps what is declared in its line, or below it, and the passes that it names
// away.

#include "cuda.h"

// CHECK-NOT: warning
// CHECK-LABEL: plan lines
// CHECK-NEXT: keep a: it is marked to be left alone: 'cuda-opt: ignore' in line [[#@LINE+7]]
// CHECK-NEXT: keep b: it is marked to be left alone: 'cuda-opt: ignore' in line [[#@LINE+7]]
// CHECK-NEXT: layout c
// CHECK-NEXT: keep d: it is marked to be left alone: 'cuda-opt off' in line [[#@LINE+9]]
// CHECK-NEXT: keep e: it is marked to be left alone: 'cuda-opt off'
// CHECK-NEXT: layout f
__global__ void lines() {
  __shared__ float a[32][32]; // cuda-opt: ignore(bank-layout)
  // cuda-opt: ignore
  // It is as it must be.
  __shared__ float b[32][32];
  __shared__ float c[32][32]; // cuda-opt: ignore(shared-reuse, levelize)
  // cuda-opt off: the host knows these
  __shared__ float d[32][32];
  __shared__ float e[32][32];
  /* cuda-opt on */
  __shared__ float f[32][32];
  a[threadIdx.x][threadIdx.y] = b[threadIdx.x][threadIdx.y] = 0;
  c[threadIdx.x][threadIdx.y] = d[threadIdx.x][threadIdx.y] = 0;
  e[threadIdx.x][threadIdx.y] = f[threadIdx.x][threadIdx.y] = 0;
}

// Of a kernel as a whole, template and all.
// CHECK-LABEL: plan kernel
// CHECK-NEXT: keep a: it is marked to be left alone: 'cuda-opt: ignore' in line [[#@LINE+1]]
// cuda-opt: ignore(bank-layout)
template <class T>
__global__ void kernel() {
  __shared__ T a[32][32];
  a[threadIdx.x][threadIdx.y] = 0;
}
template __global__ void kernel<float>();

// Accesses between off and on keep their text, so that only padding is left; and
// no barrier gets there.
// CHECK-LABEL: plan inside
// CHECK-NEXT: layout a [32][32] -> [32][33]
// TEXT-LABEL: void inside
// TEXT: a[32][33];
// TEXT: cuda-opt off
// TEXT-NEXT: a[threadIdx.x][threadIdx.y] = 0;
__global__ void inside() {
  __shared__ float a[32][32];
  // cuda-opt off
  a[threadIdx.x][threadIdx.y] = 0;
  // cuda-opt on
}

// Without `on`, to the end of the file.
// CHECK-LABEL: plan last
// CHECK-NEXT: keep a: it is marked to be left alone: 'cuda-opt off'
// cuda-opt off
__global__ void last() {
  __shared__ float a[32][32];
  a[threadIdx.x][threadIdx.y] = 0;
}
