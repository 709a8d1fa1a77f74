// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s --implicit-check-not=blocked
// RUN: %cuda-opt --print=model %s -- %cuda-flags -fgpu-rdc | FileCheck %s --check-prefix=RDC
//
// Which functions have to be copied for the arrays that they get.

#include "cuda.h"

// The text of a function has one meaning: two arrays need a copy,
__device__ void fill(float *Any) { Any[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel twoArrays
// CHECK: in a copy of fill {{.*}} first[
// CHECK: in a copy of fill {{.*}} second[
__global__ void twoArrays() {
  __shared__ float first[64], second[64];
  fill(first);
  fill(second);
}

// or arrays of two kernels,
__device__ void drain(float *Any) { Any[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel oneOfTwo
// CHECK: in a copy of drain {{.*}} mine[
__global__ void oneOfTwo() {
  __shared__ float mine[64];
  drain(mine);
}
// CHECK-LABEL: kernel otherOfTwo
// CHECK: in a copy of drain {{.*}} yours[
__global__ void otherOfTwo() {
  __shared__ float yours[64];
  drain(yours);
}

// or an array and global memory,
__device__ void clear(float *Any) { Any[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel sharedOrGlobal
// CHECK: in a copy of clear {{.*}} local[
__global__ void sharedOrGlobal(float *Global) {
  __shared__ float local[64];
  clear(local);
  clear(Global);
}

// even in two specialisations.
template <int N> __device__ void scaled(float *Any) { Any[threadIdx.x * N] = 0; }
// CHECK-LABEL: kernel twoSpecialisations
// CHECK: in a copy of scaled {{.*}} one[
// CHECK: in a copy of scaled {{.*}} two[
__global__ void twoSpecialisations() {
  __shared__ float one[64], two[64];
  scaled<1>(one);
  scaled<2>(two);
}

// Who else may call it? A host function may, and one that no kernel calls.
__host__ __device__ static void everywhere(float *Any) { Any[0] = 0; }
// CHECK-LABEL: kernel hostToo
// CHECK: in a copy of everywhere {{.*}} alsoHost[
__global__ void hostToo() {
  __shared__ float alsoHost[64];
  everywhere(alsoHost);
}
void host(float *F) { everywhere(F); }

// A template that nobody instantiates may call it, too.
__device__ void dormant(float *Any) { Any[threadIdx.x * 2] = 0; }
template <int N> __device__ void never(float *Any) { dormant(Any); }
// CHECK-LABEL: kernel wakes
// CHECK: in a copy of dormant {{.*}} awake[
__global__ void wakes() {
  __shared__ float awake[64];
  dormant(awake);
}

// With relocatable device code, other files may call what they can name.
__device__ void external(float *Any) { Any[threadIdx.x * 2] = 0; }
static __device__ void internal(float *Any) { Any[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel relocatable
// CHECK: in external
// CHECK: in internal
// RDC-LABEL: kernel relocatable
// RDC: in a copy of external
// RDC: in internal
__global__ void relocatable() {
  __shared__ float open[64], closed[64];
  external(open);
  internal(closed);
}
