// RUN: %cuda-opt --passes=bank-layout --verify=machine --quiet %s -o %t.cu -- %cuda-flags
// RUN: grep -v '^//' %t.cu | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout %t.cu -o %t.again.cu -- %cuda-flags
// RUN: diff %t.cu %t.again.cu
// RUN: cp %t.cu %t.more.cu
// RUN: echo 'void more() { square<16><<<1, dim3(16, 16)>>>(nullptr); }' >> %t.more.cu
// RUN: %cuda-opt --passes=bank-layout %t.more.cu -o - -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=MORE
//
// A template says for which instances its layouts are right, whatever the family,
// and no other compiles. A second run leaves the text alone.

// MORE: clang reports 1 error; {{.*}}static assertion failed due to requirement '16 == 32 || 16 == 64': cuda-opt: other instances need a run on the original source

#include "cuda.h"
struct Pair { float x, y, z, w; };
enum class Mode { Load, Store };

// Padding, too: that subscripts stay in their rows is known of the instances seen.
// CHECK-LABEL: void square(
// CHECK-NEXT: {{^}}  static_assert(N == 32 || N == 64,
// CHECK-NEXT: {{^}}                "cuda-opt: other instances need a run on the original source");
// CHECK-NEXT: tile[N][N + 1];
template <int N> __global__ void square(float *Out) {
  __shared__ float tile[N][N];
  tile[threadIdx.y][threadIdx.x] = Out[threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Each row with each column, or not.
// CHECK-LABEL: void product(
// CHECK: static_assert((Rows == 16 || Rows == 32) && (Columns == 32 || Columns == 64),
// CHECK-LABEL: void pairs(
// CHECK: static_assert((Rows == 16 && Columns == 32) || (Rows == 32 && Columns == 64),
template <int Rows, int Columns> __global__ void product() {
  __shared__ float tile[Rows][Columns];
  tile[threadIdx.x][0] = 0;
}
template <int Rows, int Columns> __global__ void pairs() {
  __shared__ float tile[Rows][Columns];
  tile[threadIdx.x][0] = 0;
}

// Types, flags and enumerators; what has no name cannot matter.
// CHECK-LABEL: void kinds() { // A comment
// CHECK: {{^}}  static_assert(__is_same(T, float) && !IsLast &&
// CHECK-NEXT: {{^}}                ((static_cast<long long>(M) == 1 && Offset == -1) ||
// CHECK-NEXT: {{^}}                (static_cast<long long>(M) == 0 && Offset == 1)),
// CHECK: typed[threadIdx.y][threadIdx.x ^ threadIdx.y] = 0;
template <class T, bool IsLast, Mode M, int Offset, int>
__global__ void kinds() { // A comment stays on its line.
  __shared__ T typed[16][16];
  typed[threadIdx.y][threadIdx.x] = 0;
  typed[threadIdx.x][threadIdx.y] = 0;
}

// A struct of arrays.
// CHECK-LABEL: void fields(
// CHECK: static_assert(__is_same(T, Pair *),
// CHECK-NEXT: "cuda-opt:
// CHECK-NEXT: struct { float x[256], y[256], z[256], w[256]; } s;
template <class T> __global__ void fields(T Out) {
  __shared__ Pair s[256];
  s[threadIdx.x].x = threadIdx.x;
  s[threadIdx.x].w = 1;
  Out->x = s[threadIdx.x].x + s[threadIdx.x].w;
}

// On one line. Two arrays need one assertion.
// CHECK: void flat() { static_assert(N == 512 || N == 1024, "cuda-opt: other instances need a run on the original source"); __shared__
// CHECK-NOT: static_assert
template <int N> __global__ void flat() { __shared__ float s[N], t[N];
  s[threadIdx.x * 16 % N] = 0;
  t[threadIdx.x * 16 % N] = 0;
}

// The instances of a function, and of the kernels whose arguments it gets.
// CHECK-LABEL: void helper(
// CHECK-NEXT: static_assert(N == 32,
// CHECK-LABEL: void caller(
// CHECK-NEXT: static_assert(M == 4 || M == 8,
template <int N> __device__ void helper(int Row) {
  __shared__ float tile[N][N];
  tile[threadIdx.x][Row] = 0;
}
template <int M> __global__ void caller() {
  if constexpr (M > 4)
    helper<32>(M);
}

// CHECK-LABEL: void plain(
// CHECK-NOT: static_assert
__global__ void plain() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 0;
}

void launch(float *Out, Pair *Pairs) {
  square<32><<<1, dim3(32, 32)>>>(Out);
  square<64><<<1, dim3(32, 32)>>>(Out);
  product<16, 32><<<1, 16>>>();
  product<16, 64><<<1, 16>>>();
  product<32, 32><<<1, 32>>>();
  product<32, 64><<<1, 32>>>();
  pairs<16, 32><<<1, 16>>>();
  pairs<32, 64><<<1, 32>>>();
  kinds<float, false, Mode::Store, -1, 7><<<1, dim3(16, 16)>>>();
  kinds<float, false, Mode::Load, 1, 8><<<1, dim3(16, 16)>>>();
  fields<<<1, 256>>>(Pairs);
  flat<512><<<1, 32>>>();
  flat<1024><<<1, 32>>>();
  caller<4><<<1, 32>>>();
  caller<8><<<1, 32>>>();
  plain<<<1, 32>>>();
}
