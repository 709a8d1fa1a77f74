// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Levels of iterations that do not depend on each other, one after the other.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_LEVELS_HPP
#define CUDAOPT_LEVELIZE_CPU_LEVELS_HPP

#include "cudaopt/levelize/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

/// The length of the longest path of dependences that ends at an iteration.
template <class Rules>
std::vector<index_t> levels_of(const access_order &order, index_t iterations) {
  const entries_by_iteration by_iteration(order, iterations);
  std::vector<index_t> written(std::size_t(order.cells())),
      read(written.size()); // The highest levels of a cell's last epoch.
  std::vector<index_t> level(std::size_t(iterations), 1);
  for (index_t i = 0; i < iterations; ++i) {
    const index_t first = by_iteration.begin[i],
                  last = by_iteration.begin[i + 1];
    for (index_t k = first; k < last; ++k) {
      const index_t e = by_iteration.entry[k], c = order.cell[e];
      level[i] = std::max(level[i], written[c] + 1);
      if (order.writes(e) && Rules::levels_respect_reads)
        level[i] = std::max(level[i], read[c] + 1);
    }
    for (index_t k = first; k < last; ++k) {
      const index_t e = by_iteration.entry[k], c = order.cell[e];
      index_t &place = order.writes(e) ? written[c] : read[c];
      place = std::max(place, level[i]);
    }
  }
  return level;
}

struct cpu_levels {
  struct state : plan_state {
    std::vector<index_t> order; ///< Iterations by level, then by number.
    std::vector<index_t> begin; ///< Of a level's iterations.

    std::size_t bytes() const override {
      return bytes_of(order) + bytes_of(begin);
    }
    index_t levels() const { return index_t(begin.size()) - 1; }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    const status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    const std::vector<index_t> level =
        levels_of<Rules>(in.order, in.iterations);
    auto made = std::make_unique<state>();
    const index_t levels = *std::max_element(level.begin(), level.end());
    made->begin.resize(std::size_t(levels) + 1);
    for (index_t l : level)
      ++made->begin[l];
    std::partial_sum(made->begin.begin(), made->begin.end(),
                     made->begin.begin());
    made->order.resize(level.size());
    std::vector<index_t> place = made->begin;
    for (index_t i = 0; i < in.iterations; ++i)
      made->order[place[level[i] - 1]++] = i;
    in.info.levels = levels;
    return keep_within(in, std::move(made), result);
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t, Team &team) {
    barrier between(team.size());
    const index_t workers = team.size();
    team.run([&](int worker) {
      shared_memory<Team> memory(team);
      for (index_t l = 0; l < s.levels(); ++l) {
        const index_t begin = s.begin[l], width = s.begin[l + 1] - begin;
        const index_t last = width * (worker + 1) / workers;
        for (index_t k = width * worker / workers; k < last; ++k)
          loop.body(s.order[begin + k], memory);
        if (!between.meet(team))
          return;
      }
    });
    return ending_of(team);
  }
};

template <> struct on_cpu<strategy::levels_graph> : cpu_levels {};
template <> struct on_cpu<strategy::levels_cooperative> : cpu_levels {};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_LEVELS_HPP
