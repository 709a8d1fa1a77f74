// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Levels of iterations that do not depend on each other, one after the other.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_LEVELS_HPP
#define CUDAOPT_LEVELIZE_CPU_LEVELS_HPP

#include "cudaopt/levelize/cpu/inspection.hpp"

#include <limits>

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

/// The same by passes over all pending iterations, a level each, as the paper
/// does: of the pending ones that meet at a location the smallest is of this
/// level, and so are readers below the smallest writer. Who is not stays
/// pending, its marks with it.
inline std::vector<index_t> levels_by_passes(const access_order &order,
                                             index_t iterations) {
  constexpr index_t nobody = std::numeric_limits<index_t>::max();
  const entries_by_iteration by_iteration(order, iterations);
  std::vector<index_t> writer(std::size_t(order.cells()), nobody),
      reader(writer); // The smallest pending ones.
  std::vector<index_t> level(std::size_t(iterations), 1), pending(level.size());
  std::iota(pending.begin(), pending.end(), index_t(0));
  auto for_each_entry = [&](index_t i, auto &&f) {
    for (index_t k = by_iteration.begin[i]; k < by_iteration.begin[i + 1]; ++k)
      f(order.cell[by_iteration.entry[k]], order.writes(by_iteration.entry[k]));
  };
  while (!pending.empty()) {
    for (index_t i : pending)
      for_each_entry(i, [&](index_t c, bool writes) {
        index_t &place = writes ? writer[c] : reader[c];
        place = std::min(place, i);
      });
    std::vector<index_t> later;
    for (index_t i : pending) {
      bool waits = false;
      for_each_entry(i, [&](index_t c, bool writes) {
        waits = waits || writer[c] < i || (writes && reader[c] < i);
      });
      if (waits) {
        ++level[i];
        later.push_back(i);
      }
    }
    for (index_t i : pending)
      for_each_entry(i,
                     [&](index_t c, bool) { writer[c] = reader[c] = nobody; });
    pending.swap(later);
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
    return sort_by_level(in, levels_of<Rules>(in.order, in.iterations), result);
  }

  static status sort_by_level(inspection &in, const std::vector<index_t> &level,
                              std::unique_ptr<plan_state> &result) {
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

template <> struct on_cpu<strategy::paper_levels> : cpu_levels {
  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    const status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    return sort_by_level(in, levels_by_passes(in.order, in.iterations), result);
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_LEVELS_HPP
