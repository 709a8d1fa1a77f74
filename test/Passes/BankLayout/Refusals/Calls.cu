// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt --passes=bank-layout %t/main.cu -o %t/new.cu -Rpass-missed --report=json:%t/report.json -- %cuda-flags 2>&1 | FileCheck %t/main.cu
// RUN: diff %t/main.cu %t/new.cu
// RUN: FileCheck %t/main.cu --check-prefix=ID < %t/report.json
//
// Functions that use an array keep it where their text has another meaning too.

//--- main.cu
#include "cuda.h"
#include "function.cuh"

// CHECK: :[[@LINE+6]]:32: remark: shared array 'inner' {{.*}}: function 'declare' uses it, and is also used otherwise
// ID: "reason": "called-elsewhere"
__device__ void declare() {
  __shared__ float inner[1024];
  inner[threadIdx.x * 32] = 0;
}
__device__ void (*Pointer)() = declare;
__global__ void calledElsewhere() { declare(); }

// CHECK: :[[@LINE+6]]:5: remark: shared array 'again' {{.*}}: it is used in 'recurse', which calls itself
// ID: "reason": "recursive-function"
__device__ void recurse(int N) {
  __shared__ float again[1024];
  again[threadIdx.x * 32] = 0;
  if (N)
    recurse(N - 1);
}
__global__ void recursiveFunction(int N) { recurse(N); }

// CHECK: main.cu:26:20: remark: shared array 'line' {{.*}}: it is used in function 'inHeader' of an included file, and other files may call that
// ID: "reason": "function-in-header"
__global__ void functionInHeader() {
  __shared__ float line[1024];
  inHeader(line);
}

void launch() {
  calledElsewhere<<<1, 32>>>();
  recursiveFunction<<<1, 32>>>(2);
  functionInHeader<<<1, 32>>>();
}

//--- function.cuh
__device__ inline void inHeader(float *Any) { Any[threadIdx.x * 32] = 0; }
