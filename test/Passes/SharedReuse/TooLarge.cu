// RUN: %cuda-opt --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
// RUN: %cuda-opt --passes=shared-reuse --verify=machine -Rpass=.* -Rpass-missed=.* %s -- %cuda-flags 2>%t.err | grep -v '^ *//' | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.err
//
// A kernel whose static memory no compiler accepts (49152 bytes) is made to fit, with
// a barrier if need be; else it is told what it needs.
#include "cuda.h"

// SAYS-DAG: rewrite of kernel 'fits' verified: proved equal for all data
// PLAN-LABEL: plan fits
// PLAN: storage (first | third): bytes 73728 -> 49152, bound 49152; blocks 0 -> 4; barriers added 0
// CHECK-LABEL: void fits(
// CHECK-NEXT: __shared__ union {
// CHECK-NEXT:   float first[96][64];
// CHECK-NEXT:   float third[96][64];
// CHECK-NEXT: } reused;
__global__ void fits(float *out, const float *in) {
  __shared__ float first[96][64];
  __shared__ float second[96][64];
  __shared__ float third[96][64];
  int t = threadIdx.x;
  for (int r = 0; r < 96; r++)
    first[r][t] = in[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 96; r++)
    second[r][t] = first[r][63 - t];
  __syncthreads();
  for (int r = 0; r < 96; r++)
    third[r][t] = second[95 - r][t ^ 1];
  __syncthreads();
  for (int r = 0; r < 96; r++)
    out[r * 64 + t] = third[r][t ^ 2];
}

// SAYS-DAG: rewrite of kernel 'fits_with_barrier' verified: proved equal for all data
// PLAN-LABEL: plan fits_with_barrier
// PLAN: storage (first | second): bytes 65536 -> 32768, bound 32768; blocks 0 -> 6; barriers added 1
// CHECK-LABEL: void fits_with_barrier(
// CHECK: __syncthreads();
// CHECK: x += first[r][63 - t];
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: for (int r = 0; r < 128; r++)
// CHECK-NEXT: second[r][t] = x * r;
__global__ void fits_with_barrier(float *out, const float *in) {
  __shared__ float first[128][64];
  __shared__ float second[128][64];
  int t = threadIdx.x;
  for (int r = 0; r < 128; r++)
    first[r][t] = in[r * 64 + t];
  __syncthreads();
  float x = 0;
  for (int r = 0; r < 128; r++)
    x += first[r][63 - t];
  for (int r = 0; r < 128; r++)
    second[r][t] = x * r;
  __syncthreads();
  for (int r = 0; r < 128; r++)
    out[r * 64 + t] = second[r][t ^ 2];
}

// PLAN-LABEL: plan too_large
// PLAN: keep storage: its static shared memory takes 98304 bytes, where a compiler allows 49152, and 65536 if arrays share bytes; dynamic shared memory
// SAYS-DAG: TooLarge.cu:[[#@LINE + 3]]:{{.*}}shared memory of kernel 'too_large' is not reused: {{.*}}98304 bytes
// CHECK-LABEL: void too_large(
__global__ void too_large(float *out, const float *in) {
  __shared__ float first[128][64];
  __shared__ float second[128][64];
  __shared__ float third[128][64];
  int t = threadIdx.x;
  for (int r = 0; r < 128; r++)
    first[r][t] = in[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 128; r++)
    second[r][t] = first[r][63 - t];
  __syncthreads();
  for (int r = 0; r < 128; r++)
    third[r][t] = second[127 - r][t ^ 1];
  __syncthreads();
  for (int r = 0; r < 128; r++)
    out[r * 64 + t] = third[r][t ^ 2];
}

// PLAN-LABEL: plan one_array
// PLAN: keep storage: its static shared memory takes 65536 bytes, where a compiler allows 49152; dynamic
// CHECK-LABEL: void one_array(
// CHECK-NEXT: __shared__ float only[256][64];
__global__ void one_array(float *out) {
  __shared__ float only[256][64];
  int t = threadIdx.x;
  for (int r = 0; r < 256; r++)
    only[r][t] = out[r * 64 + t];
  __syncthreads();
  for (int r = 0; r < 256; r++)
    out[r * 64 + t] = only[r][63 - t];
}

void launch(float *out, const float *in) {
  fits<<<1, 64>>>(out, in);
  fits_with_barrier<<<1, 64>>>(out, in);
  too_large<<<1, 64, 16>>>(out, in);
  one_array<<<1, 64, 16>>>(out);
}
