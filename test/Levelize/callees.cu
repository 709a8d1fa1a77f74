// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++20 -I %include-runtime -I %S/Inputs
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: %cuda-opt --passes=levelize %t.cu -o %t.again.cu -- -std=c++20 -I %include-runtime -I %S/Inputs
// RUN: cmp %t.cu %t.again.cu
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -Wno-unknown-pragmas -pthread -I %include-runtime -I %S/Inputs %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -pthread -I %include-runtime -I %S/Inputs %t.cu -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// Functions of the host are copied into the struct if their text means the same
// there.
#include "callees.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cudaopt/annotations.h>

static constexpr double limit = 40;
constexpr int wrap(int i, int n) { return i < n ? i : i - n; }
static inline double damp(double x) {
  // Not too much.
  return std::min(x * 0.5, limit);
}
inline auto twice(double x) -> double { return damp(x) + damp(x + 1); }
template <class T> T square(T x) { return x * x; }
namespace grid {
inline int left(int i) { return i > 0 ? i - 1 : 0; }
}

// CHECK-LABEL: struct calls_loop {
// CHECK: static CUDAOPT_HOST_DEVICE double damp(double x) {
// CHECK-NEXT: return cudaopt::minimum{}(cudaopt::product(x, 0.5), limit);
// CHECK-NEXT: }
// CHECK-NEXT: static CUDAOPT_HOST_DEVICE auto twice(double x) -> double { return damp(x) + damp(x + 1); }
// CHECK-NEXT: static CUDAOPT_HOST_DEVICE int left(int i) { return i > 0 ? i - 1 : 0; }
// CHECK-NEXT: template <class T>
// CHECK-NEXT: static CUDAOPT_HOST_DEVICE T square(T x) { return x * x; }
// CHECK-NEXT: static CUDAOPT_HOST_DEVICE double from_header(double x) {
// CHECK: static CUDAOPT_HOST_DEVICE int wrap(int i, int n) { return i < n ? i : i - n; }
// CHECK: touch.read(a, left(i));
// CHECK-NEXT: touch.write(a, wrap(p[i], n));
void calls(double *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i)
    a[wrap(p[i], n)] =
        twice(a[grid::left(i)]) + square(i) + from_header(double(i));
}

int main() {
  constexpr int n = 50;
  double a[n], s = 0;
  int p[n];
  for (int i = 0; i < n; ++i)
    a[i] = i, p[i] = i * 7 % 60;
  calls(a, p, n);
  for (double x : a)
    s = s * 1.01 + x;
  std::printf("%a\n", s);
}
