// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Nanoseconds of a call, by the number of iterations: of the loops of
/// short_loops.cpp as they are, and of what short_loops.sh made of them. Both
/// run in turns, and the quickest quarter counts: other programs only add.
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define DECLARE_LOOPS                                                          \
  void histogram(const int *, std::size_t, int *, std::size_t);                \
  void assemble(const int *, const double *, std::size_t,                      \
                std::vector<double> &, int, int);
namespace original {
DECLARE_LOOPS
}
namespace rewritten {
DECLARE_LOOPS
}

namespace {

/// Of one of \p calls calls of \p f, in ns.
template <class F> double measure(std::size_t calls, F f) {
  using clock = std::chrono::steady_clock;
  const clock::time_point start = clock::now();
  for (std::size_t call = 0; call < calls; ++call)
    f();
  return std::chrono::duration<double, std::nano>(clock::now() - start)
             .count() /
         double(calls);
}

double lower_quartile(std::vector<double> values) {
  const auto place = values.begin() + std::ptrdiff_t(values.size() / 4);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

template <class F, class G>
void compare(const char *name, std::size_t n, F original, G rewritten) {
  constexpr int turns = 101;
  const std::size_t calls = 1 + 100'000 / (n + 4);
  std::vector<double> before, after;
  measure(calls + 3, rewritten); // The runtime learns.
  for (int turn = 0; turn < turns; ++turn) {
    before.push_back(measure(calls, original));
    after.push_back(measure(calls, rewritten));
  }
  std::printf("%s %zu %.3f %.3f\n", name, n, lower_quartile(before),
              lower_quartile(after));
}

} // namespace

int main(int argc, char **argv) {
  constexpr std::size_t m = 4096;
  for (int k = 1; k < argc; ++k) {
    const std::size_t n = std::strtoull(argv[k], nullptr, 10);
    std::vector<int> keys(n), counts(m);
    unsigned state = 1;
    for (int &key : keys)
      key = int(((state = state * 1664525u + 1013904223u) >> 8) % m);
    std::vector<double> entries(n, 1.0), sums(m);
    compare(
        "histogram", n,
        [&] { original::histogram(keys.data(), n, counts.data(), m); },
        [&] { rewritten::histogram(keys.data(), n, counts.data(), m); });
    const int last = int(m) - 1;
    compare(
        "assemble", n,
        [&] {
          original::assemble(keys.data(), entries.data(), n, sums, 0, last);
        },
        [&] {
          rewritten::assemble(keys.data(), entries.data(), n, sums, 0, last);
        });
  }
}
