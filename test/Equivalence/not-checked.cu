// RUN: %cuda-opt --verify=machine -Rpass=.* -Rpass-missed=.* --report=json:%t.json %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: diff %s %t.cu
// RUN: %exits 1 %cuda-opt --verify=plan --check %s -- %cuda-flags
//
// What cannot be checked is not rewritten. None of these kernels is, so the file
// stays as it is.

#include "cuda.h"

// CHECK: [[@LINE+6]]:20: remark: shared array 'tile' keeps its layout: its kernel is broken as it stands: {{.*}}not-checked.cu:[[@LINE+7]]:{{[0-9]+}}: error: {{.*}} race on tile{{.*}} [-Rpass-missed]
// CHECK-NOT: rewrite of kernel
// JSON: "reason": "original-broken"
// JSON: "name": "race"
// JSON: "verify": "machine: OriginalIsBroken"
__global__ void race(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// CHECK: remark: shared array 'tile' keeps its layout: the interpreter cannot check its kernel: {{.*}}not-checked.cu:[[@LINE+7]]:{{[0-9]+}}: {{.*}}frobnicate
// JSON: "reason": "machine-unsupported"
// JSON: "name": "assembly"
// JSON: "verify": "machine: Unsupported"
__global__ void assembly(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  asm volatile("frobnicate.sync 0;");
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void launch(float *Out, float *In) {
  race<<<1, dim3(32, 32)>>>(Out, In);
  assembly<<<1, dim3(32, 32)>>>(Out, In);
}
