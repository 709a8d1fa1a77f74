// RUN: %cuda-opt -Rpass-analysis=predicted-time --report=json:%t.json -o %t.cu %s -- %cuda-flags 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %cuda-opt --report=html:%t.html -q -o %t.cu %s -- %cuda-flags
// RUN: FileCheck %s --check-prefix=HTML < %t.html
//
// Reports say what limits each kernel as it is written, and how much of that are
// bank conflicts.
#include "cuda.h"

// CHECK: remark: kernel 'transpose' in blocks of 256 threads is limited by shared memory: 8{{[0-9]}}% of the {{[0-9.]+}} us predicted for the H200 (issue slots {{[0-9]+}}%, arithmetic {{[0-9]+}}%, device memory {{[0-9]+}}%, latency 11%); without bank conflicts it takes 0.4{{[0-9]}} of it
// JSON: "limit": {
// JSON: "estimated": false,
// JSON: "gpu": "H200",
// JSON: "measured": true,
// JSON: "microseconds": {{[0-9]+}}.
// JSON: "resource": "shared memory",
// JSON: "warps": 64,
// JSON: "without_conflicts": 0.4
// HTML: <dt>Limited by</dt><dd>shared memory: 8
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 1024;
  for (int i = 0; i < 32; i += 8)
    tile[y + i][x] = in[first + (y + i) * 32 + x];
  __syncthreads();
  for (int i = 0; i < 32; i += 8)
    out[first + (y + i) * 32 + x] = tile[x][y + i];
}

// The block has one warp, and takes the memory of a multiprocessor.
// CHECK: remark: kernel 'alone' in blocks of 32 threads is limited by latency: {{[5-9][0-9]}}% of the {{[0-9.]+}} us predicted for the H200
// CHECK-SAME: it takes 1.00 of it [-Rpass
__global__ void alone(float *out) {
  __shared__ float s[12000];
  for (int i = threadIdx.x; i < 12000; i += 32)
    s[i] = i;
  __syncthreads();
  out[threadIdx.x] = s[11999 - threadIdx.x];
}

// CHECK: remark: kernel 'repeated' {{.*}}; estimated, as loops or addresses depend on what is not known
__global__ void repeated(float *out, int n) {
  __shared__ float s[128];
  for (int i = 0; i < n; ++i)
    s[threadIdx.x] = out[threadIdx.x + i];
  __syncthreads();
  out[threadIdx.x] = s[127 - threadIdx.x];
}

// Nothing is known of the launch.
// CHECK-NOT: remark: kernel 'unknown'
// JSON: "limit": null,
// JSON: "name": "unknown",
__global__ void unknown(float *out) {
  __shared__ float s[1024];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[1023 - threadIdx.x];
}

void launch(float *f, int n) {
  transpose<<<10000, dim3(32, 8)>>>(f, f);
  alone<<<1, 32>>>(f);
  repeated<<<1, 128>>>(f, n);
}
