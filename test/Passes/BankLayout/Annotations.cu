// RUN: %cuda-opt --passes=bank-layout --print=plan %s -- %cuda-flags -I %S/../../../runtime/include | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout --print=plan --layout=keep %s -- %cuda-flags -I %S/../../../runtime/include | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: %cuda-opt --passes=bank-layout --report=json:%t.json -o %t.cu %s -- %cuda-flags -I %S/../../../runtime/include
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// CUDAOPT_LAYOUT in front of a declaration says what may become of it, whatever
// --layout says.

#include "cuda.h"
#include "cudaopt/annotations.h"

#define TRANSPOSE(TILE)                                                        \
  TILE[threadIdx.y][threadIdx.x] = 0;                                          \
  TILE[threadIdx.x][threadIdx.y] = 0;

// CHECK-LABEL: plan kept
// CHECK-NEXT: keep tile: --layout=keep or an annotation says so
// ID: "reason": "asked-to-keep"
__global__ void kept() {
  CUDAOPT_LAYOUT(keep) __shared__ float tile[32][32];
  TRANSPOSE(tile)
}

// All arrays of a declaration.
// CHECK-LABEL: plan permuted
// CHECK-NEXT: layout tile [32][32] -> [32][32] c ^ r: wavefronts 1056 -> 64
// CHECK-NEXT: layout other [32][32] -> [32][32] c ^ r: wavefronts 1056 -> 64
__global__ void permuted() {
  CUDAOPT_LAYOUT(xor) __shared__ float tile[32][32], other[32][32];
  tile[threadIdx.y][threadIdx.x] = 0;
  tile[threadIdx.x][threadIdx.y] = 0;
  other[threadIdx.y][threadIdx.x] = 0;
  other[threadIdx.x][threadIdx.y] = 0;
}

// CHECK-LABEL: plan padded
// CHECK-NEXT: layout tile [32][32] -> [32][33]
__global__ void padded() {
  CUDAOPT_LAYOUT(pad) __shared__ float tile[32][32];
  TRANSPOSE(tile)
}

// CHECK-LABEL: plan linear
// CHECK-NEXT: layout tile [32][32] -> [32][32] c ^ {{.*}}: wavefronts 1056 -> 64
__global__ void linear() {
  CUDAOPT_LAYOUT(linear) __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = 0;
  tile[threadIdx.x][threadIdx.y] = 0;
}

// CHECK-LABEL: plan transformed
// CHECK-NEXT: layout tile [32][32] -> [{{[0-9]+}}] T = [
__global__ void transformed() {
  CUDAOPT_LAYOUT(T) __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = 0;
  tile[threadIdx.x][threadIdx.y] = 0;
}

// CHECK-LABEL: plan automatic
// CHECK-NEXT: layout tile [32][32] -> [32][33]
__global__ void automatic() {
  CUDAOPT_LAYOUT(auto) __shared__ float tile[32][32];
  TRANSPOSE(tile)
}

// CHECK-LABEL: plan unknown
// CHECK-NEXT: keep tile: no layout of the kind asked for suits it: 'diagonal'
// ID: "reason": "no-such-layout"
__global__ void unknown() {
  CUDAOPT_LAYOUT(diagonal) __shared__ float tile[32][32];
  TRANSPOSE(tile)
}

// Macros write the subscripts, which xor would change.
// CHECK-LABEL: plan impossible
// CHECK-NEXT: keep tile: macro 'TRANSPOSE' writes the text that would change
__global__ void impossible() {
  CUDAOPT_LAYOUT(xor) __shared__ float tile[32][32];
  TRANSPOSE(tile)
}

// CHECK-LABEL: plan silent
// KEEP-NEXT: keep tile: --layout=keep or an annotation says so
__global__ void silent() {
  __shared__ float tile[32][32];
  TRANSPOSE(tile)
}

void launch() {
  kept<<<1, dim3(32, 32)>>>();
  permuted<<<1, dim3(32, 32)>>>();
  padded<<<1, dim3(32, 32)>>>();
  linear<<<1, dim3(32, 32)>>>();
  transformed<<<1, dim3(32, 32)>>>();
  automatic<<<1, dim3(32, 32)>>>();
  unknown<<<1, dim3(32, 32)>>>();
  impossible<<<1, dim3(32, 32)>>>();
  silent<<<1, dim3(32, 32)>>>();
}
