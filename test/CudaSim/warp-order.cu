// REQUIRES: cuda
// RUN: %cuda-sim %s | FileCheck %s --check-prefix=ASCENDING
// RUN: %cuda-sim --seed=1 %s > %t.1
// RUN: %cuda-sim --seed=1 %s | diff - %t.1
// RUN: sort %t.1 | FileCheck %s --check-prefix=ASCENDING
// RUN: %cuda-sim %s | not diff - %t.1
//
// --seed decides the order in which warps run, always in the same way.
//
// ASCENDING: warp 0
// ASCENDING-NEXT: warp 1
// ASCENDING-NEXT: warp 2
// ASCENDING-NEXT: warp 3

#include <cstdio>

__global__ void speak() {
  if (threadIdx.x % 32 == 0)
    printf("warp %d\n", threadIdx.x / 32);
}

int main() { speak<<<1, 128>>>(); }
