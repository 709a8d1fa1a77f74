// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --verify=machine -Rpass=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
//
// An array whose size the launches tell may be permuted, but never grows.

#include "cuda.h"

// PROVED-COUNT-3: proved equal for all data

// CHECK-LABEL: plan constantSize
// CHECK-NEXT: layout line [1024] -> [1024] pitch 32, c ^ r: wavefronts 33 -> 2, bound 2: bound reached
// NEW-LABEL: void constantSize(
// NEW-NEXT: extern __shared__ float line[];
// NEW-NEXT: line[{{.*}} ^ ((threadIdx.x * 32) >> 5)] = 0;
// NEW-NEXT: line[threadIdx.x ^ (threadIdx.x >> 5)] = 1;
__global__ void constantSize() {
  extern __shared__ float line[];
  line[threadIdx.x * 32] = 0;
  line[threadIdx.x] = 1;
}

// What is right for 4096 bytes is right for 8192.
// CHECK-LABEL: plan twoSizes
// CHECK-NEXT: layout line [1024] -> [1024] pitch 32, c ^ r: wavefronts 66 -> 4, bound 4: bound reached
// NEW-LABEL: void twoSizes(
// NEW: line[threadIdx.x ^ (threadIdx.x >> 5 & 31)] = 1;
__global__ void twoSizes() {
  extern __shared__ float line[];
  line[threadIdx.x * 32] = 0;
  line[threadIdx.x] = 1;
}

// The last chunk of 32 is not whole: its elements would leave the array.
// CHECK-LABEL: plan oddSize
// CHECK-NEXT: keep line: its size is an argument of the launch
__global__ void oddSize() {
  extern __shared__ float line[];
  line[threadIdx.x * 32] = 0;
  line[threadIdx.x] = 1;
}

// CHECK-LABEL: plan oneSizeUnknown
// CHECK-NEXT: keep line: its size is an argument of the launch
__global__ void oneSizeUnknown() {
  extern __shared__ float line[];
  line[threadIdx.x * 32] = 0;
}

// CHECK-LABEL: plan noSize
// CHECK-NEXT: keep line: its size is an argument of the launch
__global__ void noSize() {
  extern __shared__ float line[];
  line[threadIdx.x * 32] = 0;
}

// Both begin at the same address.
// CHECK-LABEL: plan twoArrays
// CHECK-NEXT: keep first: its size is an argument of the launch
// CHECK-NEXT: keep second: its size is an argument of the launch
__global__ void twoArrays() {
  extern __shared__ float first[];
  extern __shared__ float second[];
  first[threadIdx.x * 32] = 0;
  second[threadIdx.x * 32] = 0;
}

// A function may have another name for it.
// CHECK-LABEL: plan inFunction
// CHECK-NEXT: keep hidden: it is declared in a __device__ function
// CHECK-LABEL: plan callsFunction
// CHECK-NEXT: keep line: its size is an argument of the launch
__device__ void inFunction() {
  extern __shared__ float hidden[];
  hidden[threadIdx.x * 32] = 0;
}
__global__ void callsFunction() {
  extern __shared__ float line[];
  line[threadIdx.x * 32] = 0;
  inFunction();
}

// The launch tells how many rows a box has.
// CHECK-LABEL: plan box
// CHECK-NEXT: layout rows [32][32] -> [32][32] c ^ r: wavefronts 33 -> 2, bound 2: bound reached
__global__ void box() {
  extern __shared__ float rows[][32];
  rows[threadIdx.x][0] = 0;
  rows[0][threadIdx.x] = 1;
}

// Of the last row there are four elements.
// CHECK-LABEL: plan cutBox
// CHECK-NEXT: keep cut: its size is an argument of the launch
__global__ void cutBox() {
  extern __shared__ float cut[][16];
  cut[threadIdx.x][0] = 0;
  cut[0][threadIdx.x % 16] = 1;
}

void launch(int N) {
  box<<<1, 32, 4096>>>();
  cutBox<<<1, 32, 2048 + 16>>>();
  constantSize<<<1, 32, 4096>>>();
  twoSizes<<<1, 32, 4096>>>();
  twoSizes<<<1, 32, 8192>>>();
  oddSize<<<1, 32, 4100>>>();
  oneSizeUnknown<<<1, 32, 4096>>>();
  oneSizeUnknown<<<1, 32, N>>>();
  noSize<<<1, 32>>>();
  twoArrays<<<1, 32, 4096>>>();
  callsFunction<<<1, 32, 4096>>>();
}
