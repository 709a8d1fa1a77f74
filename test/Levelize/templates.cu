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
// A loop of a template becomes a template, if all instantiations agree.
#include <cstdio>
#include <cudaopt/annotations.h>
#include <type_traits>
#include <vector>

// CHECK-LABEL: template <class T>
// CHECK-NEXT: struct solve_loop
// CHECK-NEXT: : cudaopt::row_loop<solve_loop<T>, T> {
// CHECK: T start(cudaopt::index_t i) const {
// CHECK: solve_loop<T>{{[{][{][{]}}x, cudaopt::index_t(n), 0}, 0, 1},
template <class T>
void solve(const int *ptr, const int *col, const T *a, T *x, int n) {
  CUDAOPT_LEVELIZE(x[0:n], col[0:ptr[n]], a[0:ptr[n]])
  for (int i = 0; i < n; ++i) {
    T sum = a[i];
    for (int k = ptr[i]; k < ptr[i + 1]; ++k)
      sum -= a[k] * x[col[k]];
    x[i] = sum;
  }
}

// CHECK-LABEL: template <typename T, int Bins>
// CHECK-NEXT: struct count_loop {
// CHECK: cudaopt::array<T> bins;
// CHECK: memory.store(bins, p[i] % Bins, T(memory.load(bins, p[i] % Bins) + (1.5)));
// CHECK: count_loop<T, Bins>{
template <typename T, int Bins = 4, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void count(T *bins, const int *p, int n) {
  CUDAOPT_LEVELIZE(bins[0:Bins], p[0:n])
  for (int i = 0; i < n; ++i) {
    bins[p[i] % Bins] += 1.5;
  }
}

// CHECK-LABEL: template <class Real>
// CHECK-NEXT: struct scale_loop {
// CHECK: const int *order;
// CHECK: cudaopt::array<Real> u;
// CHECK: Real by;
template <class Real> struct Field {
  std::vector<Real> u;
  std::vector<int> order;
  Real h;
  void step();
  void scale(Real by) {
    CUDAOPT_LEVELIZE()
    for (std::size_t i = 0; i < order.size(); ++i)
      u[order[i]] *= by;
  }
};
// CHECK-LABEL: template <class T>
// CHECK-NEXT: struct step_loop {
// CHECK: cudaopt::array<T> u;
template <class T> void Field<T>::step() {
  CUDAOPT_LEVELIZE()
  for (std::size_t i = 1; i < order.size(); ++i) {
    const T half = (u[order[i]] + u[i - 1]) * h;
    u[order[i]] = half;
  }
}

template <class T> static void run() {
  std::vector<int> ptr(21), col(40), p(40);
  std::vector<T> a(40), x(20, T(3)), bins(8);
  Field<T> f{std::vector<T>(30, T(5)), std::vector<int>(30), T(2)};
  for (int i = 0; i < 40; ++i)
    a[i] = T(i % 5), p[i] = i * 7 % 13;
  for (int i = 0; i <= 20; ++i)
    ptr[i] = i;
  for (int i = 0; i < 30; ++i)
    f.order[i] = i * 11 % 30;
  solve(ptr.data(), col.data(), a.data(), x.data(), 20);
  count<T>(bins.data(), p.data(), 40);
  count<T, 8>(bins.data(), p.data(), 40);
  f.step(), f.scale(T(3));
  double s = 0;
  for (T v : x) s = s * 1.5 + double(v);
  for (T v : bins) s = s * 1.5 + double(v);
  for (T v : f.u) s = s * 1.5 + double(v);
  std::printf("%a\n", s);
}
int main() { run<float>(), run<double>(), run<int>(); }
