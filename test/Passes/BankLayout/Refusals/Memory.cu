// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass-missed --report=json:%t.json -- %cuda-flags 2>&1 | FileCheck %s
// RUN: %cuda-opt -q --passes=bank-layout %s -o /dev/null -Rpass=bank-layout -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=LOST
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
// 32,536; conflicts cost this kernel less than that.
// CHECK: :[[@LINE+3]]:20: remark: shared array 'tile' {{.*}}: the better layout leaves room for fewer blocks on a multiprocessor, and is not known to be worth that
// ID: "reason": "loses-occupancy"
__global__ void losesOccupancy(float *out, const float *in) {
  __shared__ float tile[83][97];
  float sum = 0;
  for (int i = 0; i < 4096; ++i)
    sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
  ACCESS_ALL(tile, 64)
}

// They are worth more than the block to a kernel that does nothing else.
// LOST: :[[@LINE+3]]:20: remark: with the layout of 'worthIt', 6 blocks fit on a multiprocessor instead of 7; 0.0{{[0-9]}} of the time is predicted nevertheless
// NEW: __shared__ float worthIt[83][97 + 1];
__global__ void isWorthABlock() {
  __shared__ float worthIt[83][97];
  ACCESS_ALL(worthIt, 64)
}

void launch(int N) {
  enoughMemory<<<1, 32>>>();
  tooLarge<<<1, 32>>>();
  dynamicMemory<<<1, 32, N>>>();
  muchMemory<<<1, dim3(2, 16)>>>();
  losesOccupancy<<<1, 32>>>(nullptr, nullptr);
  isWorthABlock<<<1, 32>>>();
}
