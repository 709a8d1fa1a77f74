// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass-missed --report=json:%t.json -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// Rows, columns and antidiagonals of an odd length: only padding serves them all,
// and no kernel has the memory for it but the first.

#include "cuda.h"

#define ACCESS_ALL(TILE, LAST)                                                 \
  TILE[threadIdx.x][LAST - threadIdx.x] = 0;                                   \
  TILE[LAST - threadIdx.x][threadIdx.x] = 0;                                   \
  TILE[threadIdx.x][LAST] = 0;                                                 \
  TILE[LAST][threadIdx.x] = 0;

// NEW: __shared__ float enough[33][33 + 1];
// NEW: __shared__ float tile[126][97];
// NEW: __shared__ float tile[33][33];
// NEW: __shared__ float tile[32][3];
// NEW: __shared__ float tile[83][97];
__global__ void enoughMemory() {
  __shared__ float enough[33][33];
  ACCESS_ALL(enough, 32)
}

// CHECK: :[[@LINE+3]]:20: remark: shared array 'tile' {{.*}}: the better layout needs 49392 bytes of shared memory, more than a block may have
// ID: "reason": "too-large"
__global__ void tooLarge() {
  __shared__ float tile[126][97];
  ACCESS_ALL(tile, 64)
}

// CHECK: :[[@LINE+3]]:20: remark: shared array 'tile' {{.*}}: the better layout needs more memory, which the dynamic shared memory of the launches may need
// ID: "reason": "dynamic-memory"
__global__ void dynamicMemory() {
  __shared__ float tile[33][33];
  extern __shared__ float more[];
  ACCESS_ALL(tile, 32)
  more[threadIdx.x] = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: shared array 'tile' {{.*}}: the better layout needs over a quarter more memory
// ID: "reason": "much-memory"
__global__ void muchMemory() {
  __shared__ float tile[32][3];
  tile[threadIdx.y][threadIdx.x] = 0;
}

// Seven blocks of 32,204 bytes fit on a multiprocessor of sm_90, and six of
// 32,536.
// CHECK: :[[@LINE+3]]:20: remark: shared array 'tile' {{.*}}: the better layout leaves room for fewer blocks on a multiprocessor
// ID: "reason": "loses-occupancy"
__global__ void losesOccupancy() {
  __shared__ float tile[83][97];
  ACCESS_ALL(tile, 64)
}

void launch(int N) {
  enoughMemory<<<1, 32>>>();
  tooLarge<<<1, 32>>>();
  dynamicMemory<<<1, 32, N>>>();
  muchMemory<<<1, dim3(2, 16)>>>();
  losesOccupancy<<<1, 32>>>();
}
