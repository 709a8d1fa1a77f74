// REQUIRES: cuda
// RUN: %cuda-opt --print=model --cuda-path=%cuda-path %s -- -std=c++17 | FileCheck %s
//
// Of the factors of __mul24, the upper eight bits do not count.

// CHECK-LABEL: kernel products
__global__ void products() {
  __shared__ float s[1024];
  // CHECK: line [[#@LINE+1]] {{.*}} -> s[32t0]
  s[__mul24(threadIdx.x, 32)] = 0;
  // CHECK: line [[#@LINE+1]] {{.*}} s[{{.*}}(i24){{.*}}(threadIdx.x + 16777216)] not affine
  s[__mul24((1 << 24) + threadIdx.x, 1)] = 0;
  // CHECK: line [[#@LINE+1]] {{.*}} s[(u32)(u24)(threadIdx.x + 2130706432) * 2] not affine
  s[__umul24(2, threadIdx.x + 0x7f000000)] = 0;
  // CHECK: line [[#@LINE+1]] {{.*}} s[{{.*}}(i24){{.*}}(0 - threadIdx.x) * 4294967295)] not affine
  s[__mul24(0xffffff, 0 - threadIdx.x)] = 0;
}

void launch() { products<<<1, 32>>>(); }
