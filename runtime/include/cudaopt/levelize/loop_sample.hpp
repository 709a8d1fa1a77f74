// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Estimates a loop's levels from a few windows of consecutive iterations.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_LOOP_SAMPLE_HPP
#define CUDAOPT_LEVELIZE_LOOP_SAMPLE_HPP

#include "cudaopt/levelize/cpu/levels.hpp"
#include "cudaopt/levelize/prediction.hpp"

namespace cudaopt::detail {

constexpr int sample_windows = 4;

/// The iterations of one window: few enough that looking costs nearly nothing.
inline index_t sample_window(index_t iterations) {
  return std::clamp<index_t>(iterations / 64, std::min<index_t>(iterations, 64),
                             2048);
}
/// Windows are spread evenly.
inline index_t window_begin(int window, index_t iterations) {
  return (iterations - sample_window(iterations)) * window / sample_windows;
}

/// Adds up what windows show.
class level_estimate {
public:
  explicit level_estimate(index_t iterations) : Iterations(iterations) {}

  void add(const cpu::access_table &window, index_t locations) {
    const index_t size = index_t(window.begin.size()) - 1;
    const cpu::access_order order =
        cpu::order_accesses<cpu::exact_rules>(window, locations);
    const std::vector<index_t> level =
        cpu::levels_of<cpu::exact_rules>(order, size);
    const auto half = level.begin() + (size + 1) / 2;
    const index_t levels = *std::max_element(level.begin(), level.end());
    Levels = std::max(Levels,
                      extrapolate_levels(*std::max_element(level.begin(), half),
                                         levels, size, Iterations));
  }
  index_t levels() const { return Levels; }

private:
  index_t Iterations, Levels = 1;
};

/// Of a loop whose slices the host can run; false if an index is out of range.
template <class Loop>
bool estimate_on_host(const Loop &loop, index_t iterations,
                      const location_map &map, loop_facts &facts) {
  if constexpr (is_self_indexing<Loop>::value) {
    return false;
  } else {
    level_estimate estimate(iterations);
    const index_t window = sample_window(iterations);
    double accesses = 0;
    for (int w = 0; w < sample_windows; ++w) {
      cpu::access_table table;
      cpu::recorder touch(table, map);
      const index_t first = window_begin(w, iterations);
      table.begin.push_back(0);
      for (index_t i = first; i < first + window; ++i) {
        loop.slice(i, touch);
        table.begin.push_back(table.slots());
      }
      if (touch.is_bad())
        return false;
      accesses += double(table.slots());
      estimate.add(table, map.locations);
    }
    facts.iterations = iterations;
    facts.levels = estimate.levels();
    facts.accesses = index_t(accesses / sample_windows * double(iterations) /
                             double(window));
    return true;
  }
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_LOOP_SAMPLE_HPP
