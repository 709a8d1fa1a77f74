// RUN: %cuda-opt %s -- %cuda-flags -Wall -Wextra 2>&1 >/dev/null | FileCheck %s --check-prefix=OFF
// RUN: %cuda-opt -Rpass %s -- %cuda-flags 2>&1 >/dev/null | FileCheck %s
// RUN: %cuda-opt -Rpass=bank-layout %s -- %cuda-flags 2>&1 >/dev/null | FileCheck %s
// RUN: %cuda-opt %s -- %cuda-flags -Rpass 2>&1 >/dev/null | FileCheck %s
//
// Remarks are printed if they are asked for, on either side of --; warnings
// never.
//
// OFF-NOT: remark:
// OFF-NOT: warning:
// CHECK: remarks.cu:[[#]]:20: remark: shared array 'tile' is stored as {{.*}} [-Rpass]
// CHECK-NEXT: __shared__ float tile[32][32];
// CHECK-NOT: warning:

#include "cuda.h"

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
static int unused() {}
