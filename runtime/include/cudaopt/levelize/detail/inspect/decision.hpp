// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The choice on the device: which strategies are tried for a loop, in what
/// order. One look at the loop shows what may apply (device_sample.hpp); the
/// model orders those by cost (prediction.hpp). docs/Runtime.md describes the
/// steps.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_DECISION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_DECISION_HPP

#include "cudaopt/levelize/detail/inspect/device_dispatch.hpp"
#include "cudaopt/levelize/detail/inspect/device_sample.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The size of all arrays in bytes.
inline std::size_t bytes_of(const extents &arrays) {
  std::size_t sum = 0;
  for (int a = 0; a < arrays.count; ++a)
    sum += std::size_t(arrays.items[a].size) * arrays.items[a].element_bytes;
  return sum;
}

/// Returns true if strategy::chains is worth a try, which fails late where
/// iterations meet others at two locations. If meetings came about by chance,
/// the probe would have seen some of these, unless it saw few meetings at all;
/// with many executions the try is cheap enough in any case.
inline bool may_be_chained(const found_meetings &found, int expected_runs) {
  constexpr double surprise = 3;
  const double met = found.meets;
  return !found.meets_twice &&
         (expected_runs > 10 ||
          met * met > surprise * 2 * double(found.iterations));
}

/// The strategies that may apply to a loop with several kinds of accesses.
template <class Loop>
strategy_list general_strategies(const inspection &in, const Loop &loop,
                                 const found_meetings &found) {
  strategy_list result;
  if (!found.meets)
    result.add(strategy::doall);
  if (may_be_chained(found, in.wanted.expected_runs))
    result.add(strategy::chains);
  if (is_row_loop<Loop>::value)
    result.add(strategy::owner);
  if (has_disjoint_words(loop.arrays(), in.map))
    result.add(strategy::renaming);
  for (strategy s : {strategy::tickets, strategy::levels_cooperative,
                     strategy::levels_graph, strategy::paper_levels})
    result.add(s);
  return result;
}

/// Sorts strategies by their predicted costs, the cheapest first.
inline void order_by_cost(strategy_list &list, const loop_facts &facts,
                          const device_model &model, int expected_runs) {
  std::stable_sort(list.items, list.items + list.count,
                   [&](strategy a, strategy b) {
                     return cost_of(a, facts, model).of_runs(expected_runs) <
                            cost_of(b, facts, model).of_runs(expected_runs);
                   });
}

/// Returns true if the cheapest strategy is not the same with one level as with
/// as many levels as iterations. Otherwise an estimate of the levels would cost
/// more than it is worth.
inline bool depends_on_levels(strategy_list list, loop_facts facts,
                              const device_model &model, int expected_runs) {
  facts.levels = 1;
  order_by_cost(list, facts, model, expected_runs);
  const strategy first = list.items[0];
  facts.levels = facts.iterations;
  order_by_cost(list, facts, model, expected_runs);
  return list.items[0] != first;
}

/// Adds the strategies for loops that only read, only write or only update, and
/// returns true if the loop is one as far as is known. They nearly always
/// apply, and their inspections look at all accesses.
inline bool add_for_one_kind(const plan_info &info, strategy_list &result) {
  if (!info.writes && !info.updates) {
    result.add(strategy::doall);
  } else if (!info.reads && !info.updates) {
    result.add(strategy::last_writer);
  } else if (!info.reads && !info.writes) {
    result.add(strategy::atomic_reduction);
    result.add(strategy::ordered_reduction);
  }
  return result.count > 0;
}

/// Adds the strategies for all other loops, by their predicted costs.
template <class Loop>
void add_general(inspection &in, const Loop &loop, const loop_look &look,
                 strategy_list &result) {
  const index_t n = in.iterations;
  const int runs = in.wanted.expected_runs;
  const device_model model = current_model();
  loop_facts facts{n, look.accesses(n),
                   levels_by_chance(partners_of(look.meetings, n), n),
                   bytes_of(loop.arrays())};
  strategy_list general = general_strategies(in, loop, look.meetings);
  if (depends_on_levels(general, facts, model, runs))
    facts.levels = estimated_levels(look, n);
  in.info.estimated_levels = facts.levels;
  order_by_cost(general, facts, model, runs);
  for (strategy s : general)
    in.info.predicted_ms[int(s)] = cost_of(s, facts, model).execution;
  for (strategy one : general)
    result.add(one);
}

template <class Loop>
void add_after_look(inspection &in, const Loop &loop, const loop_look &look,
                    strategy_list &result) {
  using kind = access_kind;
  in.info.reads = look.has(kind::read);
  in.info.writes = look.has(kind::write);
  in.info.updates = look.has(kind::update);
  if (add_for_one_kind(in.info, result)) {
    if (is_row_loop<Loop>::value) // Rows without entries only write.
      result.add(strategy::owner);
    result.add(strategy::renaming);
    result.add(strategy::tickets);
  } else {
    add_general(in, loop, look, result);
  }
}

/// Lists the candidates for a loop, best first; strategy::sequential is last.
/// Waits for the stream, unless the strategy is forced or the loop says enough
/// about itself. status::index_out_of_range if the look found one.
template <class Loop>
status candidates_on_device(inspection &in, const Loop &loop,
                            strategy_list &result) {
  if (in.wanted.force != strategy::automatic) {
    result.add(in.wanted.force);
    return status::ok;
  }
  if constexpr (is_self_indexing<Loop>::value) {
    result.add(strategy::reserve);
  } else if constexpr (is_independent<Loop>::value) {
    result.add(strategy::doall);
  } else {
    const auto look = std::make_unique<loop_look>();
    const status s = look_at(in, loop, *look);
    if (s == status::ok)
      add_after_look(in, loop, *look, result);
    else if (s != status::out_of_memory)
      return s;
    result.add(strategy::reserve);
  }
  result.add(strategy::sequential);
  return status::ok;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_DECISION_HPP
