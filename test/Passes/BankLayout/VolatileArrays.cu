// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --verify=machine -Rpass=.* -Rpass-missed %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
//
// A volatile array is accessed as often as before, elsewhere; that is not
// proved for all orders of memory. A volatile subscript is not read twice.

#include "cuda.h"

// CHECK: 'tile' is stored as [32][33]: wavefronts per block 1056 -> 64
// CHECK: 'padded' verified: equal in the 2 orders of warps tried (others may differ, because of a volatile or atomic access at {{.*}}VolatileArrays.cu:[[@LINE+4]]:{{[0-9]+}}) at
// NEW: __shared__ volatile float tile[32][32 + 1];
__global__ void padded(float *Out, const float *In) {
  __shared__ volatile float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// CHECK: 'line' is stored as [256] pitch 8, transposed: wavefronts per block 48 -> 6
// CHECK: 'linear' verified: equal in the 2 orders of warps tried (others may differ, because of a volatile or atomic access at
// NEW: volatile __shared__ float line[256];
// NEW-NEXT: line[threadIdx.x] = In[threadIdx.x];
// NEW-NEXT: line[threadIdx.x + 1 * 32] = 1;
// NEW-NEXT: line[threadIdx.x] += line[threadIdx.x + 1 * 32];
__global__ void linear(float *Out, const float *In) {
  volatile __shared__ float line[256];
  line[threadIdx.x * 8] = In[threadIdx.x];
  line[threadIdx.x * 8 + 1] = 1;
  line[threadIdx.x * 8] += line[threadIdx.x * 8 + 1];
  Out[threadIdx.x] = line[threadIdx.x * 8];
}

// CHECK: :[[@LINE+6]]:3: remark: shared array 'kept' keeps its layout: a subscript has a side effect
// NEW: kept[Index] = In[0];
__global__ void subscript(const float *In) {
  __shared__ float kept[1024];
  volatile int Index = threadIdx.x;
  kept[threadIdx.x * 32] = kept[threadIdx.x * 8] = 0;
  kept[Index] = In[0];
}

void launch(float *F) {
  padded<<<1, dim3(32, 32)>>>(F, F);
  linear<<<1, 32>>>(F, F);
  subscript<<<1, 32>>>(F);
}
