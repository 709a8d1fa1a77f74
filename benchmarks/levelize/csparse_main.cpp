// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares CSparse's loops with what csparse.sh made of them: bits, and the
/// medians of nine calls. The matrix is the 7-point stencil on a cube, its
/// factors have the same pattern.
//===----------------------------------------------------------------------===//

#include "cs.h"
#include "cudaopt/levelize/config.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
csi original_cs_lsolve(const cs *L, double *x);
csi original_cs_ltsolve(const cs *L, double *x);
csi original_cs_usolve(const cs *U, double *x);
csi original_cs_gaxpy(const cs *A, const double *x, double *y);
}

namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Managed where there is a device and \p is_managed, else the host's.
template <class T> T *make(const std::vector<T> &from, bool is_managed) {
  void *data = nullptr;
  const std::size_t bytes = from.size() * sizeof(T);
#if CUDAOPT_CUDA
  if (is_managed && cudaMallocManaged(&data, bytes) != cudaSuccess)
    std::exit(1);
#endif
  if (!data)
    data = std::malloc(bytes);
  std::memcpy(data, from.data(), bytes);
  return static_cast<T *>(data);
}

/// Columns of the stencil: \p lower, \p upper, or both. The diagonal comes
/// first in a lower column, last in an upper one.
cs make_matrix(int side, bool lower, bool upper, bool is_managed) {
  std::vector<csi> p{0}, rows;
  std::vector<double> values;
  const csi n = csi(side) * side * side;
  for (csi j = 0; j < n; ++j) {
    const csi x = j % side, y = j / side % side, z = j / side / side;
    const csi plane = csi(side) * side;
    const auto add = [&](bool exists, csi row, double value) {
      if (exists)
        rows.push_back(row), values.push_back(value);
    };
    add(upper && z > 0, j - plane, -0.11);
    add(upper && y > 0, j - side, -0.12);
    add(upper && x > 0, j - 1, -0.13);
    add(true, j, 2);
    add(lower && x + 1 < side, j + 1, -0.13);
    add(lower && y + 1 < side, j + side, -0.12);
    add(lower && z + 1 < side, j + plane, -0.11);
    p.push_back(csi(rows.size()));
  }
  return {p.back(),
          n,
          n,
          make(p, is_managed),
          make(rows, is_managed),
          make(values, is_managed),
          -1};
}

template <class Call>
double median_ms(std::vector<double> &start, double *x, Call call) {
  std::vector<double> times;
  for (int k = 0; k < 10; ++k) {
    std::memcpy(x, start.data(), start.size() * sizeof(double));
    const double begin = now_ms();
    call();
    times.push_back(now_ms() - begin);
  }
  times.erase(times.begin()); // The first inspects.
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

bool all_same = true;

template <class Original, class Rewritten>
void compare(const char *name, csi n, bool is_managed, Original original,
             Rewritten rewritten) {
  std::vector<double> start(n);
  for (csi i = 0; i < n; ++i)
    start[i] = double(i * 7919 % 1000 + 1) / 1000;
  double *x = make(start, is_managed);
  const double first = median_ms(start, x, [&] { original(x); });
  const std::vector<double> expected(x, x + n);
  const double second = median_ms(start, x, [&] { rewritten(x); });
  const bool same = std::memcmp(x, expected.data(), n * sizeof(double)) == 0;
  all_same &= same;
  std::printf("%-10s %-8s original %9.3f ms, rewritten %9.3f ms, %6.2f x, %s\n",
              name, is_managed ? "managed" : "host", first, second,
              first / second, same ? "same" : "DIFFERENT");
}

} // namespace

int main(int argc, char **argv) {
  const int side = argc > 1 ? std::atoi(argv[1]) : 100;
  for (bool is_managed : {false, true}) {
    const cs l = make_matrix(side, true, false, is_managed);
    const cs u = make_matrix(side, false, true, is_managed);
    const cs a = make_matrix(side, true, true, is_managed);
    const double *v = make(std::vector<double>(a.n, 0.75), is_managed);
    compare(
        "cs_lsolve", l.n, is_managed,
        [&](double *x) { original_cs_lsolve(&l, x); },
        [&](double *x) { cs_lsolve(&l, x); });
    compare(
        "cs_ltsolve", l.n, is_managed,
        [&](double *x) { original_cs_ltsolve(&l, x); },
        [&](double *x) { cs_ltsolve(&l, x); });
    compare(
        "cs_usolve", u.n, is_managed,
        [&](double *x) { original_cs_usolve(&u, x); },
        [&](double *x) { cs_usolve(&u, x); });
    compare(
        "cs_gaxpy", a.n, is_managed,
        [&](double *y) { original_cs_gaxpy(&a, v, y); },
        [&](double *y) { cs_gaxpy(&a, v, y); });
#if !CUDAOPT_CUDA
    break;
#endif
  }
  return all_same ? 0 : 1;
}
