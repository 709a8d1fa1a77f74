// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize -Rpass-missed=.* %s -o %t.cu -- -I %include-runtime -std=c++17 2> %t.err
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: %cuda-opt --passes=levelize %s -o %t.fmad.cu -- -I %include-runtime -std=c++17 -fmad=false
// RUN: grep -v '^ *//' %t.fmad.cu | FileCheck %s --check-prefix=APART
// RUN: %cuda-opt --passes=levelize %s -o %t.off.cu -- -I %include-runtime -std=c++17 -Xcompiler -march=native,-ffp-contract=off
// RUN: grep -v '^ *//' %t.off.cu | FileCheck %s --check-prefix=OFF
//
// A host without fused operations rounds products by themselves: so must the
// device, where a sum may get them.
#include <algorithm>
#include <cmath>
#include <cudaopt/annotations.h>

constexpr int n = 100;

// CHECK-LABEL: struct to_sum_loop {
// CHECK: static constexpr bool has_products_in_sums = true;
// CHECK: memory.store(A, w[i], cudaopt::product(memory.load(A, r[i]), 1.1f) + B[i]);
// APART-LABEL: struct to_sum_loop {
// APART: static constexpr bool has_products_in_sums = true;
// APART: memory.store(A, w[i], memory.load(A, r[i]) * 1.1f + B[i]);
// OFF-LABEL: struct to_sum_loop {
// OFF-NOT: has_products_in_sums
// OFF: memory.store(A, w[i], cudaopt::product(memory.load(A, r[i]), 1.1f) + B[i]);
void to_sum(float *A, const float *B, const int *w, const int *r) {
  CUDAOPT_LEVELIZE(A[0:n], B[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[r[i]] * 1.1f + B[i];
}
// The runtime's sums are rounded by themselves.
// CHECK-LABEL: struct update_loop {
// CHECK: static constexpr bool has_products_in_sums = true;
// CHECK: memory.update(A, w[i], cudaopt::plus{}, double(u[i] * v[i]));
void update(double *A, const double *u, const double *v, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += u[i] * v[i];
}
// CHECK-LABEL: struct minus_loop {
// CHECK-NOT: has_products_in_sums
// CHECK: memory.update(A, w[i], cudaopt::plus{}, cudaopt::negated(double(u[i])));
void minus(double *A, const double *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] -= u[i];
}
// CHECK-LABEL: struct through_variable_loop {
// CHECK: const float p = cudaopt::product(u[i], 2.5f);
// CHECK: float q = cudaopt::product(p, p) - u[i];
// CHECK: q = cudaopt::product(q, p);
// CHECK: memory.store(A, w[i], q + p);
void through_variable(float *A, const float *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i) {
    const float p = u[i] * 2.5f;
    float q = p * p - u[i];
    q *= p;
    A[w[i]] = q + p;
  }
}
// CHECK-LABEL: struct choice_loop {
// CHECK: (u[i] < 0 ? cudaopt::product(-u[i], 3.0f) : u[i]) - cudaopt::quotient(u[i], 4));
void choice(float *A, const float *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = (u[i] < 0 ? -u[i] * 3.0f : u[i]) - u[i] / 4;
}
// No sum: nothing changes.
// CHECK-LABEL: struct no_sum_loop {
// CHECK-NOT: cudaopt::product
// CHECK-NOT: has_products_in_sums
// CHECK: memory.store(A, w[i], memory.load(A, r[i]) * u[i] / 3 * u[i]);
void no_sum(float *A, const float *u, const int *w, const int *r) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = A[r[i]] * u[i] / 3 * u[i];
}
// CHECK-LABEL: struct integers_loop {
// CHECK-NOT: cudaopt::product
// CHECK: memory.update(A, w[i], cudaopt::plus{}, int(w[i] * 3 + i));
void integers(int *A, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], w[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += w[i] * 3 + i;
}
// CHECK-LABEL: struct in_function_loop {
// CHECK: static CUDAOPT_HOST_DEVICE double blend(double x, double y) {
// CHECK-NEXT: return cudaopt::product(x, 0.25) + cudaopt::product(y, 0.75);
double blend(double x, double y) {
  return x * 0.25 + y * 0.75;
}
void in_function(double *A, const double *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n], w[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = blend(u[i], A[w[n - 1 - i]]);
}
// CHECK-LABEL: struct row_loop_of_sums_loop
// CHECK: static constexpr bool has_products_in_sums = true;
// CHECK: sum -= cudaopt::product(a[k], x_1);
void row_loop_of_sums(double *x, const double *a, const double *b,
                      const int *ptr, const int *col) {
  CUDAOPT_LEVELIZE(x[0:n], a[0:n], col[0:n], ptr[0:n + 1])
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      sum -= a[k] * x[col[k]];
    x[i] = sum;
  }
}
// CHECK-LABEL: struct approximate_loop {
// CHECK-NOT: has_products_in_sums
// CHECK: memory.store(A, w[i], std::exp(memory.load(A, r[i])) * 1.1f + B[i]);
// CHECK: cudaopt::loop_options().approximate()
void approximate(float *A, const float *B, const int *w, const int *r) {
  CUDAOPT_LEVELIZE(A[0:n], B[0:n], approx)
  for (int i = 0; i < n; ++i)
    A[w[i]] = std::exp(A[r[i]]) * 1.1f + B[i];
}
// CHECK-LABEL: struct reassociated_loop {
// CHECK: memory.update(A, w[i], cudaopt::plus{}, float(B[i] * 1.1f));
void reassociated(float *A, const float *B, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], B[0:n], reassoc)
  for (int i = 0; i < n; ++i)
    A[w[i]] += B[i] * 1.1f;
}
// CHECK-LABEL: struct exact_functions_loop {
// CHECK: std::sqrt(u[i])
void exact_functions(double *A, const double *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = std::fma(std::sqrt(u[i]), std::floor(u[i]), std::fabs(u[i])) +
              std::max(u[i], 2.0);
}
// CHECK-NOT: struct
// REMARK: rounding.cu:[[#@LINE+5]]:15: remark: marked loop of 'exponential' stays sequential: the host and the device compute other last bits of 'exp'
void exponential(double *A, const double *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    // One of two:
    A[w[i]] = std::exp(u[i]);
}
// Zeros of either sign are equal for some compilers, and not for others.
// REMARK: loop of 'minimum' stays sequential: the host and the device compute other last bits of 'fmin'
void minimum(double *A, const double *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = std::fmin(A[w[i]], u[i]);
}
// REMARK: loop of 'on_both_sides' stays sequential: the device compiler may round this product of a called function together with a sum
__attribute__((host)) __attribute__((device)) double both(double x) {
  return x * 0.25 + 1;
}
void on_both_sides(double *A, const double *u, const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] = both(u[i]);
}
// REMARK: loop of 'of_target' stays sequential: the host compiler may round this product together with a sum, and nobody else can know whether it does (the attribute target)
__attribute__((target("fma"))) void of_target(double *A, const double *u,
                                              const int *w) {
  CUDAOPT_LEVELIZE(A[0:n], u[0:n])
  for (int i = 0; i < n; ++i)
    A[w[i]] += u[i] * 0.1;
}
