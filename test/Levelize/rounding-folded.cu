// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- %cuda-flags -I %include-runtime
// RUN: grep -v '//' %t.cu | FileCheck %s
//
// A product by 1 or 2, or by what compilers may find to be that, is the product
// that it has for a factor: both are rounded. What an array or a variable from
// outside of the loop holds, no compiler knows.
#include <cudaopt/annotations.h>

// CHECK-LABEL: struct by_one_loop {
// CHECK: cudaopt::product(cudaopt::product(u[i], v[i]), 1.0f) + memory.load(x, r[i])
void by_one(float *x, const float *u, const float *v, const int *w,
            const int *r, int n, int m) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i)
    x[w[i]] = u[i] * v[i] * 1.0f + x[r[i]];
}

// CHECK-LABEL: struct by_quotient_loop {
// CHECK: cudaopt::quotient(cudaopt::product(u[i], v[i]), 1.0f) - memory.load(x, r[i])
void by_quotient(float *x, const float *u, const float *v, const int *w,
                 const int *r, int n, int m) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i)
    x[w[i]] = u[i] * v[i] / 1.0f - x[r[i]];
}

// CHECK-LABEL: struct by_local_loop {
// CHECK: cudaopt::quotient(u[i], four) + memory.load(x, r[i])
void by_local(float *x, const float *u, const int *w, const int *r, int n,
              int m) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i) {
    const float four = 4;
    x[w[i]] = u[i] / four + x[r[i]];
  }
}

// CHECK-LABEL: struct by_unknown_loop {
// CHECK: cudaopt::product(u[i] * h, v[i]) + memory.load(x, r[i]) / h
void by_unknown(float *x, const float *u, const float *v, const int *w,
                const int *r, float h, int n, int m) {
  CUDAOPT_LEVELIZE(x[0:m], u[0:n], v[0:n], w[0:n], r[0:n])
  for (int i = 0; i < n; ++i)
    x[w[i]] = u[i] * h * v[i] + x[r[i]] / h;
}
