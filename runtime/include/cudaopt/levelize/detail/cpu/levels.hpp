// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The level strategies on the CPU: the iterations of a level do not depend on
/// each other and run at the same time; levels run one after the other, with a
/// barrier between them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_LEVELS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_LEVELS_HPP

#include "cudaopt/levelize/detail/cpu/inspection.hpp"

#include <limits>

namespace cudaopt::detail::cpu {

/// Computes each iteration's level: the length of the longest chain of
/// dependences that ends there, from 1. One pass in the loop's order, which
/// keeps for each cell the greatest levels that wrote and that read it.
template <class Rules>
status find_levels(host_scratch &memory, const access_order &order,
                   index_t iterations, host_array<index_t> &level) {
  entries_by_iteration by_iteration;
  // By cell: the greatest levels of writers and of readers so far; 0 is none.
  host_array<index_t> written, read;
  if (by_iteration.find(memory, order, iterations) != status::ok ||
      written.allocate(memory, order.cells()) != status::ok ||
      read.allocate(memory, order.cells()) != status::ok ||
      level.allocate_filled(memory, iterations, 1) != status::ok)
    return status::out_of_memory;
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
  return status::ok;
}

/// Computes the same by passes over all pending iterations, one for each level,
/// as the published algorithm does: a pending iteration is of this level if no
/// smaller pending one writes what it accesses, or reads what it writes. The
/// others stay pending.
inline status find_levels_by_passes(host_scratch &memory,
                                    const access_order &order,
                                    index_t iterations,
                                    host_array<index_t> &level) {
  constexpr index_t no_iteration = std::numeric_limits<index_t>::max();
  entries_by_iteration by_iteration;
  host_array<index_t> writer, reader; // By cell: the smallest pending ones.
  host_array<index_t> pending, later;
  if (by_iteration.find(memory, order, iterations) != status::ok ||
      writer.allocate_filled(memory, order.cells(), no_iteration) !=
          status::ok ||
      reader.allocate_filled(memory, order.cells(), no_iteration) !=
          status::ok ||
      level.allocate_filled(memory, iterations, 1) != status::ok ||
      pending.allocate(memory, iterations) != status::ok ||
      later.reserve(memory, iterations) != status::ok)
    return status::out_of_memory;
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
    later.clear();
    for (index_t i : pending) {
      bool waits = false;
      for_each_entry(i, [&](index_t c, bool writes) {
        waits = waits || writer[c] < i || (writes && reader[c] < i);
      });
      if (waits) {
        ++level[i];
        if (!later.append(i))
          return status::out_of_memory;
      }
    }
    for (index_t i : pending)
      for_each_entry(
          i, [&](index_t c, bool) { writer[c] = reader[c] = no_iteration; });
    pending.swap(later);
  }
  return status::ok;
}

/// What the strategies have in common: they differ in how levels are found.
struct cpu_levels {
  struct state : plan_state {
    host_array<index_t> order; ///< Iterations by level, then by number.
    host_array<index_t> begin; ///< By level: its first iteration; and the end.

    std::size_t bytes() const override { return order.bytes() + begin.bytes(); }
    index_t levels() const { return begin.size() - 1; }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    host_array<index_t> level;
    status s = find_order<Rules>(in, loop);
    if (s == status::ok)
      s = find_levels<Rules>(in.memory, in.order, in.iterations, level);
    return s == status::ok ? sort_by_level(in, level, result) : s;
  }

  static status sort_by_level(inspection &in, const host_array<index_t> &level,
                              std::unique_ptr<plan_state> &result) {
    const index_t levels = *std::max_element(level.begin(), level.end());
    auto made = make_or_null<state>();
    host_array<index_t> place;
    status s = made ? made->begin.allocate(in.memory, levels + 1)
                    : status::out_of_memory;
    if (s == status::ok)
      s = made->order.allocate(in.memory, level.size());
    if (s != status::ok)
      return s;
    for (index_t l : level)
      ++made->begin[l];
    std::partial_sum(made->begin.begin(), made->begin.end(),
                     made->begin.begin());
    s = copy_items(in.memory, made->begin, place);
    if (s != status::ok)
      return s;
    for (index_t i = 0; i < in.iterations; ++i)
      made->order[place[level[i] - 1]++] = i;
    in.info.levels = levels;
    result = std::move(made);
    return status::ok;
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
    host_array<index_t> level;
    status s = find_order<Rules>(in, loop);
    if (s == status::ok)
      s = find_levels_by_passes(in.memory, in.order, in.iterations, level);
    return s == status::ok ? sort_by_level(in, level, result) : s;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_LEVELS_HPP
