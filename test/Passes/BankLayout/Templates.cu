// RUN: %cuda-opt --passes=bank-layout --verify=machine -Rpass=.* -Rpass-missed %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
//
// One text is right for all instances, whatever their extents and types.

#include "cuda.h"

// CHECK: 'oblong' is stored as [16][33]: wavefronts per block 144 -> 32
// CHECK: 'extents' verified: proved equal for all data
// NEW: __shared__ float oblong[Rows][Columns + 1];
template <int Rows, int Columns> __global__ void extents() {
  __shared__ float oblong[Rows][Columns];
  oblong[threadIdx.y][threadIdx.x] = 0;
  oblong[threadIdx.x][threadIdx.y] = 0;
}

// Four, eight and one byte: what a permutation does for the widest, it does for
// all.
// CHECK: 'typed' is stored as [32][32] c ^ r: wavefronts per block 1056 -> 64 (at least 64; bound reached)
// CHECK: 'types' verified: proved equal for all data
// NEW: __shared__ T typed[32][32];
// NEW-NEXT: typed[threadIdx.y][threadIdx.x ^ threadIdx.y] = 0;
template <class T> __global__ void types() {
  __shared__ T typed[32][32];
  typed[threadIdx.y][threadIdx.x] = 0;
  typed[threadIdx.x][threadIdx.y] = 0;
}

// CHECK: 'squared' is stored as [256] {{.*}}: wavefronts per block 72 -> 16 (at least 16; bound reached)
// CHECK: 'flat' verified: proved equal for all data
template <int N> __global__ void flat() {
  __shared__ float squared[N * N];
  squared[threadIdx.y * N + threadIdx.x] = 0;
  squared[threadIdx.x * N + threadIdx.y] = 0;
}

// Only one instance has the array.
// CHECK: 'sometimes' is stored as [32][32] transposed: wavefronts per block 32 -> 1
// NEW: __shared__ float sometimes[N][N];
// NEW-NEXT: sometimes[0][threadIdx.x] = 0;
template <int N> __global__ void discarded() {
  if constexpr (N > 16) {
    __shared__ float sometimes[N][N];
    sometimes[threadIdx.x][0] = 0;
  }
}

void launch() {
  extents<16, 32><<<1, dim3(16, 16)>>>();
  extents<32, 48><<<1, dim3(32, 32)>>>();
  types<float><<<1, dim3(32, 32)>>>();
  types<double><<<1, dim3(32, 32)>>>();
  types<char><<<1, dim3(32, 32)>>>();
  flat<16><<<1, dim3(16, 16)>>>();
  flat<32><<<1, dim3(32, 32)>>>();
  discarded<16><<<1, 16>>>();
  discarded<32><<<1, 32>>>();
}
