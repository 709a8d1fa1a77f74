// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt --passes=bank-layout %t/auto.cu -o %t/new.cu -Rpass-missed --report=json:%t/auto.json -- %cuda-flags 2>&1 | FileCheck %t/auto.cu
// RUN: diff %t/auto.cu %t/new.cu
// RUN: FileCheck %t/auto.cu --check-prefix=ID < %t/auto.json
// RUN: %cuda-opt --passes=bank-layout %t/pad.cu -o %t/new.cu --layout=pad -Rpass-missed --report=json:%t/pad.json -- %cuda-flags 2>&1 | FileCheck %t/pad.cu
// RUN: diff %t/pad.cu %t/new.cu
// RUN: FileCheck %t/pad.cu --check-prefix=ID < %t/pad.json
//
// An array keeps its layout if nothing, or too little, is to be gained.

//--- auto.cu
#include "cuda.h"

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: no access conflicts
// ID: "reason": "no-conflict"
__global__ void noConflict() {
  __shared__ float line[32];
  line[threadIdx.x] = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: no layout tried needs fewer wavefronts
// ID: "reason": "no-gain"
__global__ void noGain() {
  __shared__ float pair[2][33];
  pair[0][threadIdx.x] = 0;
  pair[0][threadIdx.x + (threadIdx.x >= 16)] = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: the wavefronts saved do not outweigh
// ID: "reason": "uncertain-gain"
__global__ void uncertainGain(const int *Index) {
  __shared__ float line[1024];
  line[threadIdx.x * 2] = 0;
  for (int I = 0; I < 10; ++I) {
    int At = Index[I];
    line[At] = 1;
  }
}

void launch(const int *Index) {
  noConflict<<<1, 32>>>();
  noGain<<<1, 32>>>();
  uncertainGain<<<1, 32>>>(Index);
}

//--- pad.cu
#include "cuda.h"

// In blocks of 1024 threads padding mends the column. Where only the first access
// is executed, that then takes two wavefronts, not one.
// CHECK: :[[@LINE+3]]:20: remark: shared array 'tile' {{.*}}: the better layout would be worse for blocks of 512 x 1 x 1 threads, which the launch may have
// ID: "reason": "worse-for-some-shape"
__global__ void worseForSomeShape() {
  __shared__ float tile[32][32];
  int Thread = threadIdx.x;
  tile[Thread % 32 / 16][Thread % 32] = 0;
  if (Thread >= 512)
    tile[Thread % 32][0] = 0;
}
