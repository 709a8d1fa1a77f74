// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++20 -I %include-runtime
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: %cuda-opt --passes=levelize %t.cu -o %t.again.cu -- -std=c++20 -I %include-runtime
// RUN: cmp %t.cu %t.again.cu
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -Wno-unknown-pragmas -pthread -I %include-runtime %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -pthread -I %include-runtime %t.cu -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// Minima and maxima are updates where they have the bits of std::min(x, v); in
// other orders of the operands only those of integers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cudaopt/annotations.h>

constexpr int n = 200;

// CHECK-LABEL: struct smallest_loop {
// CHECK: touch.update(a, p[i], cudaopt::minimum{});
// CHECK: memory.update(a, p[i], cudaopt::minimum{}, float(v[i]));
void smallest(float *a, const int *p, const float *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = std::min(a[p[i]], v[i]);
}
// Of -0.0 and 0.0, and of numbers and none, the other one wins.
// CHECK-LABEL: struct smallest_turned_loop {
// CHECK-NOT: .update(
// CHECK: memory.store(a, p[i], cudaopt::minimum{}(v[i], memory.load(a, p[i])));
void smallest_turned(float *a, const int *p, const float *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = std::min(v[i], a[p[i]]);
}
// Host and device take other zeros.
// CHECK-NOT: struct by_fmin_loop
void by_fmin(float *a, const int *p, const float *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = std::fmin(a[p[i]], v[i]);
}
// CHECK-LABEL: struct chosen_loop {
// CHECK: touch.update(a, p[i], cudaopt::maximum{});
// CHECK: memory.update(a, p[i], cudaopt::maximum{}, float(v[i]));
void chosen(float *a, const int *p, const float *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[p[i]] < v[i] ? v[i] : a[p[i]];
}
// CHECK-LABEL: struct chosen_turned_loop {
// CHECK-NOT: .update(
// CHECK: void body
void chosen_turned(float *a, const int *p, const float *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[p[i]] > v[i] ? a[p[i]] : v[i];
}
// CHECK-LABEL: struct guarded_loop {
// CHECK: touch.update(a, p[i], cudaopt::minimum{});
// CHECK: memory.update(a, p[i], cudaopt::minimum{}, float(v[i] * 2));
// CHECK-EMPTY:
// CHECK-NEXT: memory.update(last, 0, cudaopt::maximum{}, int(p[i]));
int guarded(float *a, const int *p, const float *v) {
  int last = 0;
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i) {
    if (a[p[i]] > v[i] * 2)
      a[p[i]] = v[i] * 2;
    last = std::max(last, p[i]);
  }
  return last;
}
// An equal one is stored.
// CHECK-LABEL: struct guarded_equal_loop {
// CHECK: is_self_indexing = true
void guarded_equal(float *a, const int *p, const float *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    if (v[i] <= a[p[i]])
      a[p[i]] = v[i];
}
// CHECK-LABEL: struct integers_loop {
// CHECK: touch.update(a, p[i], cudaopt::minimum{});
// CHECK: touch.update(b, p[i], cudaopt::maximum{});
// CHECK: touch.update(c, p[i], cudaopt::plus{});
// CHECK: touch.update(c, i, cudaopt::plus{});
void integers(int *a, short *b, unsigned *c, const int *p, const short *v) {
  CUDAOPT_LEVELIZE(a[0:n], b[0:n], c[0:n], v[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = p[i] <= a[p[i]] ? p[i] : a[p[i]];
    if (v[i] >= b[p[i]]) b[p[i]] = v[i];
    c[p[i]] = c[p[i]] + 3 * i;
    c[i] = p[i] + c[i];
  }
}
// What is compared is wider than what is stored.
// CHECK-LABEL: struct wider_loop {
// CHECK-NOT: .update(
// CHECK-LABEL: struct wider_float_loop {
// CHECK-NOT: .update(
// CHECK-LABEL: struct unsigned__loop {
// CHECK-NOT: .update(
// CHECK: int main
void wider(short *b, const int *p, const int *v) {
  CUDAOPT_LEVELIZE(b[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    b[p[i]] = v[i] < b[p[i]] ? v[i] : b[p[i]];
}
void wider_float(float *a, const int *p, const double *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = v[i] < a[p[i]] ? v[i] : a[p[i]];
}
void unsigned_(int *a, const int *p, const unsigned *v) {
  CUDAOPT_LEVELIZE(a[0:n], v[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = v[i] < unsigned(a[p[i]]) ? v[i] : a[p[i]];
}

static void print(const void *data, size_t bytes) {
  unsigned long hash = 1469598103934665603ul;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const unsigned char *>(data)[i]) * 1099511628211ul;
  std::printf("%lx\n", hash);
}
int main() {
  static float a[n], v[n];
  static int p[n], ia[n], wide[n];
  static short b[n], sv[n];
  static unsigned c[n], u[n];
  static double d[n];
  const float special[] = {0.0f, -0.0f, NAN, INFINITY, -INFINITY, 1e-40f};
  void (*const all[])(float *, const int *, const float *) = {
      smallest, smallest_turned, by_fmin, chosen, chosen_turned, guarded_equal};
  for (int i = 0; i < n; ++i) {
    p[i] = i * 7919 % 23, v[i] = special[i * 31 % 6] * (i % 5 == 0 ? -1 : 1);
    d[i] = i % 3 ? -1e-60 : 1e300, sv[i] = short(i * 7919), wide[i] = i * 79190;
    u[i] = unsigned(i * 791900000);
  }
  for (auto f : all) {
    for (int i = 0; i < n; ++i)
      a[i] = special[i % 6];
    f(a, p, v), print(a, sizeof a);
  }
  std::printf("%d\n", guarded(a, p, v)), print(a, sizeof a);
  integers(ia, b, c, p, sv), print(ia, sizeof ia), print(b, sizeof b), print(c, sizeof c);
  wider(b, p, wide), print(b, sizeof b);
  std::memset(a, 0, sizeof a);
  wider_float(a, p, d), print(a, sizeof a);
  unsigned_(ia, p, u), print(ia, sizeof ia);
}
