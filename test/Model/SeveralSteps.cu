// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// A variable that each iteration advances several times.

#include "cuda.h"

// CHECK-LABEL: kernel steps
__global__ void steps(const int *in) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = t;
  for (int k = 0; k < 3; ++k) {
    // CHECK: write 4 bytes line [[#@LINE+1]] {{.*}} -> s[t0 + 48i0] :
    s[i] = 1;
    i += 32;
    // CHECK-NEXT: write 4 bytes line [[#@LINE+1]] {{.*}} -> s[32 + t0 + 48i0] :
    s[i] = 2;
    i += 16;
  }
  // CHECK-NEXT: write 4 bytes line [[#@LINE+1]] {{.*}} -> s[144 + t0] :
  s[i] = 3;
  int j = 1;
  for (int k = 0; k < 3; ++k) {
    // CHECK-NEXT: write 4 bytes line [[#@LINE+1]] {{.*}} opaque
    s[j + t] = 4;
    j *= 2;
    j += 1;
  }
  int m = 1;
  for (int k = 0; k < 3; ++k) {
    // CHECK-NEXT: write 4 bytes line [[#@LINE+1]] {{.*}} opaque
    s[m + t] = 5;
    m += 1;
    if (in[k])
      m += 2;
  }
  int n = 0;
  for (int k = 0; k < 3; ++k) {
    // CHECK-NEXT: write 4 bytes line [[#@LINE+1]] {{.*}} opaque
    s[n + t] = 6;
    n += 1;
    n += in[k];
  }
}
void launch() { steps<<<1, 32>>>(nullptr); }
