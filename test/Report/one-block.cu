// RUN: %cuda-opt --assume-closed-world -Rpass=.* -Rpass-analysis=.* --report=json:%t.json --report=html:%t.html -o %t.cu %s -- %cuda-flags 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: FileCheck %s --check-prefix=HTML < %t.html
//
// A kernel with several launches is described for one of them, with the same
// numbers in all reports. Values of a loop are told by their rule.

#include "cuda.h"

// CHECK: [[#@LINE+9]]:20: remark: shared array 'tile' is stored as [32][33]: wavefronts per block 1056 -> 64 (at least 64;
// CHECK: [[#@LINE+8]]:20: remark: shared variable 'tile' (4096 bytes) is live on lines
// CHECK: [[#@LINE+6]]:17: remark: kernel 'turn' in blocks of 1024 threads: wavefronts per block 1056 (at least 64) [
// JSON: "name": "turn",
// JSON: "wavefronts": {
// JSON-NEXT: "after": 64,
// JSON-NEXT: "before": 1056,
// HTML: <code>turn</code></a></td><td class="number">1,056 → <b>64</b></td>
__global__ void turn(float *o) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// CHECK: load of 'a[d * threadIdx.x]', 4 bytes a lane at [{{.*}}{1, doubled each time}{{.*}}]: wavefronts
// CHECK: load of 'a[d]', 4 bytes a lane at [{{.*}}{512, halved each time}{{.*}}]: wavefronts
// CHECK: load of 'a[d]', 4 bytes a lane at [{{.*}}{1, 3, 9, ...}{{.*}}]: wavefronts
// CHECK-NOT: 1048576
__global__ void loops(float *o) {
  __shared__ float a[1024];
  a[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int d = 1; d < 1024; d *= 2)
    if (threadIdx.x < 1024 / d)
      sum += a[d * threadIdx.x];
  for (int d = 512; d > 0; d /= 2)
    sum += a[d];
  for (int d = 1; d < 1024; d *= 3)
    sum += a[d];
  o[threadIdx.x] = sum;
}
// What a macro writes has a text, too.
#define KERNEL(name)                                                           \
  __global__ void name(float *o) {                                             \
    __shared__ float line[32];                                                 \
    line[threadIdx.x] = *o;                                                    \
  }
// CHECK: store of 'line[threadIdx.x]', 4 bytes a lane
KERNEL(written)
void launch(float *o) {
  turn<<<1, dim3(32, 32)>>>(o);
  turn<<<1, dim3(32, 16)>>>(o);
  loops<<<1, 1024>>>(o);
  written<<<1, 32>>>(o);
}
