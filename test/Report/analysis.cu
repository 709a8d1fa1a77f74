// RUN: %cuda-opt -Rpass-analysis=.* %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: %cuda-opt -Rpass=.* -Rpass-analysis=shared-reuse %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=REUSE
// RUN: %cuda-opt -Rpass=bank -Rpass-missed=reuse %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=CHANGED
//
// Analysis remarks tell what was found: of each access the function, and what
// its worst request costs; of each variable the lines in which it is busy. The
// expression chooses passes.

#include "cuda.h"

// REUSE-NOT: wavefronts a request
// REUSE: remark: shared array 'tile' is stored as {{.*}} [-Rpass
// REUSE-NOT: wavefronts a request
// REUSE: remark: shared variable 'tile' (4096 bytes) is live on lines {{.*}} [-Rpass-analysis
// CHANGED: remark: shared array 'tile'
// CHANGED-NOT: keeps its layout
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  __shared__ float line[32];
  // CHECK: analysis.cu:[[#@LINE+1]]:3: remark: store of 'tile[threadIdx.y][threadIdx.x]', 4 bytes a lane at [threadIdx.y][threadIdx.x]: wavefronts a request 1 -> 1 (at least 1) [-Rpass-analysis
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  line[threadIdx.x] = 0;
  __syncthreads();
  // CHECK: remark: load of 'tile[threadIdx.x][threadIdx.y]', 4 bytes a lane at [threadIdx.x][threadIdx.y]: wavefronts a request 32 -> 1 (at least 1)
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y] +
  // CHECK: remark: load of 'line[int(In[0])]' is not counted: {{.*}}
                                        line[int(In[0])];
}
// CHECK: remark: shared variable 'tile' (4096 bytes) is live on lines [[#@LINE-8]]-[[#@LINE-7]], [[#@LINE-4]]-[[#@LINE-2]]
// CHECK: remark: kernel 'transpose' in blocks of 1024 threads: wavefronts per block {{[0-9]+}} (at least {{[0-9]+}})
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
