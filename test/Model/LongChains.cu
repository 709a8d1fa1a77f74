// RUN: %cuda-opt --layout=xor %s -- %cuda-flags | grep -v '//' | FileCheck %s
//
// A value that doubles its uses forty times is looked through once, not 2^40
// times, when the loop that it bounds is examined.

#include "cuda.h"

#define ONCE(x) x = (x & 1023) + (x >> 10);
#define FIVE_TIMES(x) ONCE(x) ONCE(x) ONCE(x) ONCE(x) ONCE(x)
#define FORTY_TIMES(x)                                                         \
  FIVE_TIMES(x) FIVE_TIMES(x) FIVE_TIMES(x) FIVE_TIMES(x)                      \
  FIVE_TIMES(x) FIVE_TIMES(x) FIVE_TIMES(x) FIVE_TIMES(x)

// CHECK-LABEL: void chain(
// CHECK: tile[threadIdx.x][threadIdx.y ^ threadIdx.x] = 0;
__global__ void chain() {
  __shared__ float tile[32][32];
  for (int i = 0; i < 8; ++i) {
    int bound = i;
    FORTY_TIMES(bound)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k <= bound; ++k) {
        tile[threadIdx.y][threadIdx.x] = 0;
        tile[threadIdx.x][threadIdx.y] = 0;
      }
  }
}

void launch() { chain<<<1, dim3(32, 32)>>>(); }
