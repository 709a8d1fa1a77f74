// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
//
// Variables that loops halve, double or count are known in each iteration, and
// after the loop, if its trip count is.

#include "cuda.h"

// The stride of an inner loop starts at half of the outer loop's size.
// CHECK-LABEL: kernel bitonic
// CHECK-NOT: opaque
// PLAN-LABEL: plan bitonic
// PLAN-NEXT: layout line [256] -> {{.*}}: wavefronts {{[0-9]+}} -> 288, bound 288: bound reached
__global__ void bitonic() {
  __shared__ float line[256];
  for (int Size = 2; Size <= 256; Size <<= 1) {
    int Stride = Size / 2;
    for (; Stride > 0; Stride >>= 1) {
      int At = 2 * threadIdx.x - (threadIdx.x & (Stride - 1));
      line[At] = 0;
      line[At + Stride] = 1;
    }
  }
}

// The offset is doubled in the body, is 256 behind the loop, and halved again.
// CHECK-LABEL: kernel scan
// CHECK-NOT: opaque
// CHECK: write 4 bytes line [[@LINE+9]] {{.*}} -> line[255]
// CHECK-NOT: opaque
__global__ void scan() {
  __shared__ float line[256];
  int Offset = 1;
  for (int D = 128; D > 0; D >>= 1) {
    line[Offset * (2 * (threadIdx.x & (D - 1)) + 1) - 1] = 0;
    Offset *= 2;
  }
  line[Offset - 1] = 0;
  for (int D = 1; D < 256; D *= 2) {
    Offset >>= 1;
    line[Offset * (2 * (threadIdx.x & (D - 1)) + 1) - 1] = 1;
  }
}

// Not in all iterations.
// CHECK-LABEL: kernel skipped
// CHECK: line [[@LINE+7]] {{.*}}: line opaque
__global__ void skipped(const int *Flags) {
  __shared__ float line[256];
  int Offset = 1;
  for (int D = 0; D < 4; ++D) {
    if (Flags[D])
      continue;
    line[Offset] = 0;
    Offset *= 2;
  }
}

// Once or twice.
// CHECK-LABEL: kernel sometimesTwice
// CHECK: line [[@LINE+6]] {{.*}}: line opaque
__global__ void sometimesTwice(const int *Flags) {
  __shared__ float line[256];
  int Offset = 1;
  for (int D = 0; D < 3; ++D) {
    Offset *= 2;
    line[Offset] = 0;
    if (Flags[D])
      Offset *= 2;
  }
}

// Known in the loop, but not behind it: it may end early.
// CHECK-LABEL: kernel leftEarly
// CHECK: line [[@LINE+8]] {{.*}} -> line[
// CHECK: line [[@LINE+10]] {{.*}}: line opaque
__global__ void leftEarly(const int *Flags) {
  __shared__ float line[256];
  int Offset = 1;
  for (int D = 0; D < 3; ++D) {
    if (Flags[D])
      break;
    line[Offset] = 0;
    Offset *= 2;
  }
  line[Offset] = 1;
}

void launch(const int *Flags) {
  bitonic<<<1, 128>>>();
  scan<<<1, 128>>>();
  skipped<<<1, 32>>>(Flags);
  sometimesTwice<<<1, 32>>>(Flags);
  leftEarly<<<1, 32>>>(Flags);
}
