// RUN: %cuda-opt --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout --print=plan --assume-inbounds %s -- %cuda-flags | FileCheck %s --check-prefix=ASSUMED
// RUN: %cuda-opt --passes=bank-layout --print=plan --block=16,16 %s -- %cuda-flags | FileCheck %s --check-prefix=OPTION
//
// Without a launch, a layout must be good for all shapes of a block that are
// usual and stay inside the array.

#include "cuda.h"

// CHECK-LABEL: plan oneDimension
// CHECK-NEXT: layout line [2048] -> [2048] {{.*}}: wavefronts 189 -> 126, bound 126 (estimated): bound reached
__global__ void oneDimension() {
  __shared__ float line[2048];
  line[threadIdx.x * 2] = 0;
  line[threadIdx.x] = 0;
}

// The launch bounds name the only shape: 256 threads.
// CHECK-LABEL: plan bounded
// CHECK-NEXT: layout line [2048] -> [2048] {{.*}}: wavefronts 72 -> 16, bound 16 (estimated): bound reached
__global__ void __launch_bounds__(256) bounded() {
  __shared__ float line[2048];
  line[threadIdx.x * 8] = 0;
  line[threadIdx.x] = 0;
}

// No pitch and no c ^ r is good for 32x8, 16x16 and 8x32 alike.
// CHECK-LABEL: plan guarded
// CHECK-NEXT: layout tile [32][32] -> [32][32] c ^ (__brev(r) >> 27): wavefronts 1716 -> 124, bound 124 (estimated): bound reached
// OPTION-LABEL: plan guarded
// OPTION-NEXT: layout tile [32][32] -> [32][32] {{.*}}: wavefronts 144 -> 16, bound 16: bound reached
__global__ void guarded() {
  __shared__ float tile[32][32];
  if (threadIdx.x < 32 && threadIdx.y < 32) {
    tile[threadIdx.y][threadIdx.x] = 0;
    tile[threadIdx.x][threadIdx.y] = 0;
  }
}

// Without the guard nobody knows that rows are not left, unless the user says so.
// CHECK-LABEL: plan unguarded
// CHECK-NEXT: keep tile: subscript 'tile[threadIdx.y][threadIdx.x]' cannot be proved to stay inside its row
// ASSUMED-LABEL: plan unguarded
// ASSUMED-NEXT: layout tile [32][32] -> [32][32] c ^ (__brev(r) >> 27)
__global__ void unguarded() {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = 0;
  tile[threadIdx.x][threadIdx.y] = 0;
}

// A launch tells the shape, and a pointer hides another one.
// CHECK-LABEL: plan pointed
// CHECK-NEXT: layout line [1024] -> [1024] {{.*}} (estimated): bound reached
__global__ void pointed() {
  __shared__ float line[1024];
  line[threadIdx.x * 32] = 0;
  line[threadIdx.x] = 0;
}
void hide(void (*Kernel)());
void launch() {
  pointed<<<1, 32>>>();
  hide(pointed);
}
