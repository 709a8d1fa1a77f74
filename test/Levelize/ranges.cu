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
// Loops over arrays: the variable is an element, refers to it or leads to it.
#include <cstdio>
#include <cudaopt/annotations.h>
#include <ranges>
#include <span>
#include <vector>

struct Edge { int from, to; };

// CHECK-LABEL: struct counted_loop {
// CHECK: const int i = int(first_value + iteration);
// CHECK: cudaopt::index_t(last) - cudaopt::index_t(first),
void counted(int *a, const int *p, int first, int last) {
  CUDAOPT_LEVELIZE(a[0:last], p[0:last])
  for (int i : std::views::iota(first, last))
    a[p[i]] += i;
}
// CHECK-LABEL: struct ordered_loop {
// CHECK: slice(cudaopt::index_t iteration,
// CHECK: const int i = int(order[iteration]);
// CHECK: touch.read(x, i);
// CHECK: cudaopt::index_t(order.size()),
// CHECK: cudaopt::index(order.data(), order.size())
void ordered(double *x, const std::vector<int> &order, int n) {
  CUDAOPT_LEVELIZE(x[0:n])
  for (int i : order) {
    const double old = x[i];
    x[(i * 3) % n] = old * 0.5 + i;
  }
}
// CHECK-LABEL: struct referred_loop {
// CHECK: touch.update(degree, edges[iteration].from, cudaopt::plus{});
// CHECK: memory.update(degree, edges[iteration].from, cudaopt::plus{}, int(1));
void referred(std::vector<int> &degree, std::span<const Edge> edges) {
  CUDAOPT_LEVELIZE()
  for (const Edge &e : edges) {
    degree[e.from]++;
    degree[e.to] += 2;
  }
}
// CHECK-LABEL: struct scaled_loop {
void scaled(std::vector<float> &v, float (&sums)[4], const int *p) {
  CUDAOPT_LEVELIZE(p[0:v.size()])
  for (std::size_t i = 0; i < v.size(); ++i)
    sums[p[i] & 3] += v[i];
  // CHECK-LABEL: struct scaled_loop_2 {
  // CHECK: memory.store(v, iteration, cudaopt::product(v_1, 2) + float(sums_1));
  CUDAOPT_LEVELIZE()
  for (auto &x : v) {
    x = x * 2 + float(sums[1]);
    sums[3] += 1;
  }
}
// CHECK-LABEL: struct iterators_loop {
// CHECK: touch.update(a, p[iteration], cudaopt::plus{});
// CHECK: memory.update(a, p[iteration], cudaopt::plus{}, int(p[iteration + 1] + int(iteration)));
// CHECK: cudaopt::index_t(n - 1),
void iterators(int *a, const std::vector<int> &p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (auto it = p.begin(); it != p.begin() + (n - 1); ++it)
    a[*it] += it[1] + int(it - p.begin());
}
// CHECK-LABEL: struct pointers_loop {
// CHECK: memory.store(a, p[iteration], memory.load(a, (p[iteration] + 1) % n) + 1);
// CHECK: cudaopt::index_t(end - p),
void pointers(int *a, const int *p, const int *end, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (const int *q = p; q != end; ++q)
    a[*q] = a[(*q + 1) % n] + 1;
}
// CHECK-LABEL: struct outputs_loop {
// CHECK: memory.store(a, iteration, memory.load(a, p[iteration]) + 1);
void outputs(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(p[0:n], a[0:n])
  for (int *q = a; q < a + n; q++)
    *q = a[p[q - a]] + 1;
}

int main() {
  constexpr int n = 60;
  int a[n] = {};
  float sums[4] = {};
  double x[n];
  std::vector<int> p(n), order, degree(n);
  std::vector<Edge> edges;
  std::vector<float> v(n);
  for (int i = 0; i < n; ++i) {
    p[i] = i * 7919 % 31, x[i] = i, v[i] = i * 0.25f;
    order.push_back(i * 31 % n), edges.push_back({i, i * 17 % n});
  }
  counted(a, p.data(), 3, n), ordered(x, order, n), referred(degree, edges);
  scaled(v, sums, p.data()), iterators(a, p, n);
  pointers(a, p.data(), p.data() + n, n), outputs(a, p.data(), n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = s * 1.01 + a[i] + x[i] + degree[i] + v[i] + sums[i & 3];
  std::printf("%a\n", s);
}
