// REQUIRES: cuda
// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- -std=c++20 -I %include-runtime
// RUN: grep -v '^ *//' %t.cu | FileCheck %s
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -pthread -I %include-runtime %s -o %t.before
// RUN: %host-cxx -x c++ -std=c++20 -Wall -Wextra -Werror -pthread -I %include-runtime %t.cu -o %t.after
// RUN: %t.before > %t.expected
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=sequential %t.after | diff %t.expected -
// RUN: env CUDAOPT_LEVELIZE=cpu CUDAOPT_LEVELIZE_FORCE=tickets %t.after | diff %t.expected -
//
// Containers of the standard library tell their extents; what is a value of the
// host only (size(), std::max) has another text in the struct.
#include <cudaopt/annotations.h>
#include <vector>
#include <span>
#include <array>
#include <cmath>
#include <algorithm>
struct Cell { float v; int id; };
class Sim {
  std::vector<double> u, f; std::vector<int> idx; std::array<double, 8> w; double dt = 0.1;
public:
  Sim() : u(64), f(64), idx(64) {}
  // CHECK: std::size_t w_size;
  // CHECK: const double g = cudaopt::product(std::sqrt(cudaopt::maximum{}(memory.load(u, idx[i]), 0.0)), w[i % w_size]);
  // CHECK: memory.update(u, i, cudaopt::minimum{}, double(g));
  // CHECK: cudaopt::in(cells.data(), cells.size()), cudaopt::fixed(this->dt)})) {
  void step(std::span<const Cell> cells) {
    CUDAOPT_LEVELIZE()
    for (size_t i = 0; i < idx.size(); ++i) {
      const double g = std::sqrt(std::max(u[idx[i]], 0.0)) * w[i % w.size()];
      f[idx[i]] += g * dt + cells[i].v;
      u[i] = std::min(u[i], g);
    }
  }
  double total() const { double s = 0; for (double x : u) s += x; for (double x : f) s += x; return s; }
};
void offset(double *a, const int *p, int first, int last) {
  CUDAOPT_LEVELIZE(a[0:100], p[0:100])
  for (int i = first * 2; i <= last; ++i)
    a[p[i]] = std::fabs(a[i]) + i;
}
#include <cstdio>
int main() {
  Sim s; std::vector<Cell> c(64); for (auto &x : c) x.v = 2;
  s.step(c); s.step(c); std::printf("%a\n", s.total());
  std::vector<double> a(100, -1.5); std::vector<int> p(100); for (int i = 0; i < 100; ++i) p[i] = i * 7 % 100;
  offset(a.data(), p.data(), 3, 80); double t = 0; for (double x : a) t = t * 1.01 + x; std::printf("%a\n", t);
}
