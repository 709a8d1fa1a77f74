// RUN: %cuda-opt --passes=never-read -Rpass-missed=never-read %s -- %cuda-flags 2>&1 >%t.cu | FileCheck %s
// RUN: diff %s %t.cu
// RUN: %cuda-opt -q --report=json:%t.json --report=sarif-all:%t.sarif --report=html:%t.html %s -o %t.cu -- %cuda-flags
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: FileCheck %s --check-prefix=SARIF < %t.sarif
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// RUN: %cuda-opt explain never-read | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cuda-opt --list-passes | FileCheck %s --check-prefix=LIST
//
// An array that is only written is told, in every report; nothing changes.
//
// JSON: "id": "array-never-read",
// JSON-NEXT: "line": [[#LEFT:]],
// JSON-NEXT: "message": "shared array 'left' is written and never read",
// JSON-NEXT: "object": "left",
// JSON-NEXT: "outcome": "missed",
// JSON-NEXT: "pass": "never-read"
// SARIF: shared array 'left' is written and never read
// HTML: shared array &apos;left&apos; is written and never read
// EXPLAIN: never-read: a pass, on by default
// LIST: never-read {{ *}}tell which shared arrays
#include "cuda.h"

// CHECK: [[#@LINE + 3]]:20: remark: shared array 'left' is written and never read
// CHECK-NOT: remark
__global__ void rest(float *out, const float *in) {
  __shared__ float left[64];
  __shared__ float used[64];
  int t = threadIdx.x;
  left[t] = in[t];
  used[t] = in[t];
  __syncthreads();
  out[t] = used[63 - t];
}

// A sum is read before it is written, and so is what an atomic operation updates.
__global__ void updates(float *out, const float *in) {
  __shared__ float sum[64];
  __shared__ int count;
  __shared__ int counts[64];
  int t = threadIdx.x;
  sum[t] += in[t];
  atomicAdd(&counts[t], 1);
}

__device__ void keep(float *);

// Who gets the address may read.
__global__ void escapes() {
  __shared__ float a[64];
  a[threadIdx.x] = 1;
  keep(a);
}

// Another setting of the preprocessor reads.
__global__ void inactive(float *out) {
  __shared__ float b[64];
  b[threadIdx.x] = 1;
#if 0
  out[threadIdx.x] = b[threadIdx.x];
#endif
}

// So does another instance.
template <bool Reads> __global__ void discarded(float *out) {
  __shared__ float c[64];
  c[threadIdx.x] = 1;
  if constexpr (Reads)
    out[threadIdx.x] = c[threadIdx.x];
}

// The author knows.
__global__ void marked(const float *in) {
  __shared__ float d[64]; // cuda-opt: ignore(never-read)
  d[threadIdx.x] = in[threadIdx.x];
}

void launch(float *out, const float *in) {
  rest<<<1, 64>>>(out, in);
  updates<<<1, 64>>>(out, in);
  escapes<<<1, 64>>>();
  inactive<<<1, 64>>>(out);
  discarded<false><<<1, 64>>>(out);
  marked<<<1, 64>>>(in);
}
