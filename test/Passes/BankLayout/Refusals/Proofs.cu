// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass-missed --report=json:%t.json -- %cuda-flags 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// What is not known of the accesses keeps an array.

#include "cuda.h"

// Blocks of the shapes that are assumed otherwise would leave the array.
// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: the shape of the block is not known; pass --block=X,Y,Z
// ID: "reason": "unknown-block"
__global__ void unknownBlock() {
  __shared__ float line[48];
  line[threadIdx.x * 2] = 0;
}

// CHECK: :[[@LINE+5]]:3: remark: {{.*}}: subscript 'tile[0][threadIdx.x + 1]' cannot be proved to stay inside its row; --block=X,Y,Z may help, or --assume-inbounds
// ID: "reason": "not-in-bounds"
__global__ void notInBounds() {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 0;
  tile[0][threadIdx.x + 1] = 0;
}

// Of structs, fields that lie apart would do, but no other layout.
// CHECK: :[[@LINE+7]]:3: remark: {{.*}}: subscript 'pairs[0][T * 16]' cannot be proved to stay inside its row
struct Pair {
  float First, Second;
};
__global__ void pairsNotInBounds(float *Out) {
  __shared__ Pair pairs[16][32];
  int T = threadIdx.x;
  pairs[0][T * 16].First = 1;
  pairs[0][T * 16].Second = 2;
  __syncthreads();
  Out[T] = pairs[T % 16][0].First + pairs[T % 16][0].Second;
}

// CHECK: :[[@LINE+5]]:3: remark: {{.*}}: subscript 'tile[0][*Index]' depends on data
// ID: "reason": "data-dependent"
__global__ void dataDependent(int *Index) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 0;
  tile[0][*Index] = 0;
}

// What is counted has no conflict; the other access is anyone's guess.
// CHECK: :[[@LINE+4]]:20: remark: {{.*}}: no access that can be counted conflicts; 1 cannot
// ID: "uncounted": 1
// ID: "reason": "uncounted-accesses"
__global__ void uncounted(const int *Index) {
  __shared__ float line[64];
  line[threadIdx.x] = 0;
  line[*Index] = 0;
}

// CHECK: :[[@LINE+5]]:12: remark: {{.*}}: a subscript is not an affine function of the thread: 'large[threadIdx.x]'
// ID: "reason": "not-affine"
struct Large { float Numbers[40]; int Last; };
__global__ void notAffine(Large *Out) {
  __shared__ Large large[32];
  Out[0] = large[threadIdx.x];
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: no access is an affine function of the thread
// ID: "reason": "no-analysable-access"
__global__ void noAnalysableAccess(Large *Out, const int *Index) {
  __shared__ Large large[32];
  Out[0] = large[threadIdx.x];
  large[*Index].Last = 1;
}

void launch(int *I, Large *L, float *F) {
  notInBounds<<<1, 32>>>();
  pairsNotInBounds<<<1, 32>>>(F);
  dataDependent<<<1, 32>>>(I);
  uncounted<<<1, 32>>>(I);
  notAffine<<<1, 32>>>(L);
  noAnalysableAccess<<<1, 32>>>(L, I);
}
