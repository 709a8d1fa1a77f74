// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++17 -I %include-runtime
// RUN: %cuda-path/bin/nvcc -std=c++17 -w -arch=sm_90 -DPROBE -I %include-runtime -ptx -o %t.ptx %t.cu
// RUN: sed -n '/\.entry probe/,/^}/p' %t.ptx | FileCheck %s
// RUN: sed -n '/\.entry plain/,/^}/p' %t.ptx | FileCheck %s --check-prefix=PLAIN
//
// nvcc makes no part of a sum of the products of a levelized loop; left to
// itself it does.
#include <cudaopt/annotations.h>

// CHECK: .entry probe
// CHECK-NOT: {{fma|mad}}.{{.*}}f{{32|64}}
// CHECK: mul.rn.f32
// CHECK-NOT: {{fma|mad}}.{{.*}}f{{32|64}}
// PLAIN: fma.rn.f32
void to_sum(float *A, const float *B, const int *w, const int *r, int n) {
  CUDAOPT_LEVELIZE(A[0:n], B[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[r[i]] * 1.1f + B[i];
}
void update(double *A, const double *u, const int *w, int n) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += u[i] * 0.3;
}
void through_memory(float *A, const float *u, const int *w, int n) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n], w[0:n])
  for (int i = 0; i < n; ++i) {
    A[w[i]] = u[i] * 0.3f;
    A[w[n - 1 - i]] = A[w[i]] + u[i] / 2;
  }
}
static float scaled(float x) { return x * 3; }
void through_function(float *A, const float *u, const int *w, int n) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i) {
    float t = u[i];
    t *= u[n - 1 - i];
    A[w[i]] = scaled(A[w[i]]) - t;
  }
}
void scaled_first(float *A, const float *u, const int *w, int n) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i) {
    A[w[i]] *= u[i];
    A[w[i]] += u[n - 1 - i];
  }
}

#ifdef PROBE
// The names of the structs must not be taken.
#define LOOP(FUNCTION) FUNCTION##_loop
template <class Loop> __device__ void run(const Loop &loop) {
  cudaopt::direct_memory memory;
  loop.body(threadIdx.x, memory);
}
extern "C" __global__ void probe_to_sum(LOOP(to_sum) loop) { run(loop); }
extern "C" __global__ void probe_update(LOOP(update) loop) { run(loop); }
extern "C" __global__ void probe_memory(LOOP(through_memory) loop) { run(loop); }
extern "C" __global__ void probe_function(LOOP(through_function) loop) {
  run(loop);
}
extern "C" __global__ void probe_scaled(LOOP(scaled_first) loop) { run(loop); }
extern "C" __global__ void plain(float *A, const float *B, const int *w) {
  A[w[0]] = A[w[1]] * 1.1f + B[0];
}
#endif
