// RUN: %cuda-opt --reuse=bytes -Rpass=shared-reuse --report=html:%t.html --report=json:%t.json -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %cuda-opt --reuse=poison -Rpass=shared-reuse -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=POISON
//
// Where as many blocks fit as before, reports say what fewer bytes are good
// for. The bytes that the launch asks for count, and all say the same.

#include "cuda.h"

// CHECK: remark: shared memory of kernel 'cached' takes 8192 bytes instead of 16384 (at least 8192): 4 blocks fit on a multiprocessor as before, and its L1 cache grows by {{[1-9][0-9]*}} bytes
// HTML: <code>cached</code></a></td><td class="number">192</td><td class="number">20,480 → <b>12,288</b></td><td class="number">4</td>
// HTML: <dd>16,384 → <b>8,192</b>, and 4,096 dynamic</dd>
// HTML: <dd>4 <small>(the L1 cache grows by
// JSON: "blocks_per_sm": {
// JSON-NEXT: "after": 4,
// JSON-NEXT: "before": 4
// JSON: "dynamic_bytes": 4096,
// POISON-NOT: instead of
// POISON: remark: shared variables of kernel 'cached' are filled with NaNs where they are dead
__global__ void cached(float *o) {
  extern __shared__ float other[];
  __shared__ float a[2048], b[2048];
  int t = threadIdx.x;
  for (int i = t; i < 2048; i += 512)
    a[i] = o[i];
  other[t] = o[t];
  __syncthreads();
  float x = a[2047 - t] + other[t ^ 1];
  __syncthreads();
  for (int i = t; i < 2048; i += 512)
    b[i] = x;
  __syncthreads();
  o[t] = b[2047 - t];
}
void launch(float *o) { cached<<<1, 512, 1024 * sizeof(float)>>>(o); }
