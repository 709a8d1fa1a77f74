// REQUIRES: cuda
// RUN: %cuda-opt --passes=shared-reuse %s -o %t.cu -- -arch=sm_90
// RUN: grep -v '^ *//' %t.cu | grep -c __shared__ | FileCheck %s --check-prefix=SHARED
// RUN: %cuda-path/bin/nvcc -w -arch=sm_90 -ptx -o %t.before.ptx %s
// RUN: %cuda-path/bin/nvcc -w -arch=sm_90 -ptx -o %t.after.ptx %t.cu
// RUN: grep -cE "(fma|mad)[.a-z]*[.](f32|f64|f16)" %t.before.ptx > %t.expected || true
// RUN: grep -cE "(fma|mad)[.a-z]*[.](f32|f64|f16)" %t.after.ptx > %t.found || true
// RUN: diff %t.expected %t.found
//
// nvcc rounds the products of arrays that became variables where it did before.
#include <cuda_fp16.h>

// SHARED: {{^}}1{{$}}
__global__ void k(float *out, const float *in, double *wide, __half *half,
                  float2 *pairs) {
  __shared__ float s[300];
  __shared__ float u[300], v[300];
  __shared__ double d[300];
  __shared__ __half h[300];
  __shared__ float2 p[300];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  u[t] = 1.1f * in[t];
  v[t] = in[t + 1];
  d[t] = wide[t] * 0.1;
  h[t] = half[t] * half[t + 1];
  p[t] = make_float2(in[t] * in[t + 2], in[t] / 2);
  __syncthreads();
  v[t] *= 0.7f;
  __syncthreads();
  out[t] = s[299 - t] + u[t] - v[t];
  wide[t] = d[t] + 1;
  half[t] = h[t] + half[t + 2];
  pairs[t] = make_float2(p[t].x + 1, 1 - p[t].y);
}
void launch(float *f, double *d, __half *h, float2 *p) {
  k<<<1, 300>>>(f, f, d, h, p);
}
