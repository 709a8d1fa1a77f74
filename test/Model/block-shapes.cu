// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --print=model --block=8,4,2 %s -- %cuda-flags \
// RUN:   | FileCheck %s --check-prefix=OPTION
//
// The shape of the block comes from the launches; where they do not tell, from
// --block, then from __launch_bounds__.

#include "cuda.h"

#define KERNEL(NAME)                                                           \
  __global__ void NAME() {                                                     \
    __shared__ float line[64];                                                 \
    line[threadIdx.x] = 0;                                                     \
  }

constexpr int Width = 16;

// CHECK-LABEL: kernel fromConstants
// CHECK-NEXT: block 16x4x1 (launch) grid 2x3x1
KERNEL(fromConstants)
void launchConstants() {
  const int Height = 4;
  dim3 Block(Width, Height), Grid(2, 3);
  fromConstants<<<Grid, Block>>>();
}

// CHECK-LABEL: kernel fromChanged
// CHECK-NEXT: block of at most 1024 threads (unknown)
// OPTION-LABEL: kernel fromChanged
// OPTION-NEXT: block 8x4x2 (option)
KERNEL(fromChanged)
void launchChanged(int N) {
  dim3 Block(16, 16);
  Block.x = N;
  fromChanged<<<1, Block>>>();
}

// Two shapes are two instances.
// CHECK-LABEL: kernel fromTwo
// CHECK-NEXT: block 32x1x1 (launch)
// CHECK: block 64x1x1 (launch)
KERNEL(fromTwo)
void launchTwo() {
  fromTwo<<<1, 32>>>();
  fromTwo<<<1, 64>>>();
}

// A launch through a pointer counts for every kernel it may point to.
// CHECK-LABEL: kernel fromPointer
// CHECK-NEXT: block 48x1x1 (launch)
__global__ void fromPointer(char *) {
  __shared__ float line[64];
  line[threadIdx.x] = 0;
}
void launchPointer(char *C) {
  void (*Kernel)(char *) = &fromPointer;
  Kernel<<<1, 48>>>(C);
}

// CHECK-LABEL: kernel fromBounds
// CHECK-NEXT: block of at most 128 threads (launch-bounds)
__global__ void __launch_bounds__(128) fromBounds() {
  __shared__ float line[64];
  line[threadIdx.x] = 0;
}

// Each specialisation is an instance.
// CHECK-LABEL: kernel specialised
// CHECK-NEXT: block 8x8x1
// CHECK-NEXT: array box[8][8]
// CHECK: block 16x16x1
// CHECK-NEXT: array box[16][16]
template <int N> __global__ void specialised() {
  __shared__ float box[N][N];
  box[threadIdx.y][threadIdx.x] = 0;
}
template <int N> void launchSpecialised() { specialised<N><<<1, dim3(N, N)>>>(); }
template void launchSpecialised<8>();
template void launchSpecialised<16>();

// A kernel that some other function may launch has a further, unknown shape.
// CHECK-LABEL: kernel escaping
// CHECK-NEXT: block 32x1x1 (launch)
// CHECK: block of at most 1024 threads (unknown)
KERNEL(escaping)
void launchSomewhere(void (*Kernel)());
void launchEscaping() {
  escaping<<<1, 32>>>();
  launchSomewhere(escaping);
}

// Another file may change what it can name.
// CHECK-LABEL: kernel fromGlobal
// CHECK-NEXT: block of at most 1024 threads (unknown)
int Threads = 32;
KERNEL(fromGlobal)
void launchGlobal() { fromGlobal<<<1, Threads>>>(); }
