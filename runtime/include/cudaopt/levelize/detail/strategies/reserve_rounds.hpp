// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The kernel of strategy::reserve: one cooperative kernel that runs all
/// rounds. Each round has three steps with a barrier of the grid between them:
/// reserve, check, commit (reserve.hpp says why that is exact).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_ROUNDS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_ROUNDS_HPP

#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"
#include "cudaopt/levelize/detail/strategies/reserve_touches.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

#include <cooperative_groups.h>

namespace cudaopt::detail {

/// What the threads of one round count together.
struct round_counters {
  unsigned long long unstable; ///< The first whose slice cannot be trusted.
  unsigned long long bad;      ///< The first with an index out of range.
  unsigned long long failed;   ///< How many go to the next round.
};
/// Sets of counters that rounds use in turns: one is used, one is cleared for
/// the next round, and one of the last round may still be read.
constexpr int counter_sets = 3;

/// What the host reads when all rounds are over.
struct rounds_result {
  unsigned long long bad_iteration; ///< ~0 if there is none.
  unsigned rounds;
  unsigned unused;
};

/// The most, first and least iterations that a round aims at.
constexpr index_t most_in_a_round = index_t(1) << 22;
constexpr index_t first_in_a_round = 1 << 13;
constexpr index_t least_in_a_round = 1 << 8;

/// The tables of an execution, in memory of the device.
struct rounds_view {
  reservations words;
  index_t *lists[2];   ///< Iterations that failed, in no order; in turns.
  std::uint8_t *flags; ///< By item of the round: it may commit.
  round_counters *counters;
  rounds_result *result;
  index_t capacity;
};

/// The iterations of a round: `pending` ones that failed before, then `fresh`
/// ones from `next` on. Every thread computes the same plan. Rounds become
/// smaller where more than a fifth of their iterations fail, and larger where
/// less than a tenth do.
struct round_plan {
  index_t pending = 0, fresh = 0, next = 0;
  index_t size = first_in_a_round; ///< The number of iterations aimed at.
  unsigned number = 0;             ///< Rounds so far.

  __device__ index_t count() const { return pending + fresh; }
  __device__ void begin(index_t iterations, index_t capacity) {
    const index_t room = (size < capacity ? size : capacity) - pending;
    const index_t left = iterations - next;
    fresh = room < 0 ? 0 : room < left ? room : left;
  }
  __device__ void end(index_t failed, index_t capacity) {
    if (failed * 5 > count())
      size = size / 2 > least_in_a_round ? size / 2 : least_in_a_round;
    else if (failed * 10 < count() && size < capacity)
      size *= 2;
    next += fresh;
    pending = failed;
    ++number;
  }
  __device__ index_t iteration(const index_t *list, index_t t) const {
    return t < pending ? load_relaxed(list + t) : next + (t - pending);
  }
};

__device__ inline void clear(round_counters &c) {
  store_relaxed(&c.unstable, ~0ull);
  store_relaxed(&c.bad, ~0ull);
  store_relaxed(&c.failed, 0ull);
}

/// First step: each iteration reserves its accesses.
template <class Loop>
__device__ void reserve_round(const Loop &loop, const location_map &map,
                              const rounds_view &view, const round_plan &plan,
                              unsigned round) {
  const index_t *list = view.lists[plan.number % 2];
  for (index_t t = grid_thread(); t < plan.count(); t += grid_threads()) {
    const index_t i = plan.iteration(list, t);
    reserving_touch touch{map, view.words, reservations::word(round, i)};
    loop.slice(i, touch);
  }
}

/// Second step: flags those that no smaller iteration conflicts with, and finds
/// the first whose slice cannot be trusted.
template <class Loop>
__device__ void check_round(const Loop &loop, const location_map &map,
                            const rounds_view &view, const round_plan &plan,
                            unsigned round, round_counters &counters) {
  const index_t *list = view.lists[plan.number % 2];
  for (index_t t = grid_thread(); t < plan.count(); t += grid_threads()) {
    const index_t i = plan.iteration(list, t);
    conflict_touch touch{map, view.words, round, i};
    loop.slice(i, touch);
    if (touch.is_unstable)
      atomicMin(&counters.unstable, static_cast<unsigned long long>(i));
    if (touch.is_bad)
      atomicMin(&counters.bad, static_cast<unsigned long long>(i));
    view.flags[t] = !touch.is_blocked && !touch.is_unstable && !touch.is_bad;
  }
}

/// Third step: runs the flagged iterations before \p unstable (negative: there
/// is none); the others go to the next round.
template <class Loop>
__device__ void commit_round(const Loop &loop, const rounds_view &view,
                             const round_plan &plan, index_t unstable,
                             round_counters &counters) {
  const index_t *list = view.lists[plan.number % 2];
  index_t *failed = view.lists[(plan.number + 1) % 2];
  for (index_t t = grid_thread(); t < plan.count(); t += grid_threads()) {
    const index_t i = plan.iteration(list, t);
    if (view.flags[t] && (unstable < 0 || i < unstable)) {
      relaxed_memory memory;
      loop.body(i, memory);
      continue;
    }
    store_relaxed(failed + atomicAdd(&counters.failed, 1ull), i);
  }
}

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    run_rounds(Loop loop, const __grid_constant__ location_map map,
               index_t iterations, rounds_view view) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const bool is_first = grid_thread() == 0;
  if (is_first) {
    clear(view.counters[0]);
    view.result->bad_iteration = ~0ull;
  }
  round_plan plan;
  unsigned round = 0; // As plan.number, but from 0 again after a clearing.
  grid.sync();
  for (plan.begin(iterations, view.capacity); plan.count() > 0;
       plan.begin(iterations, view.capacity)) {
    round_counters &counters = view.counters[plan.number % counter_sets];
    if (is_first)
      clear(view.counters[(plan.number + 1) % counter_sets]);
    if (round == last_round) {
      round = 0;
      for (index_t l = grid_thread(); l < map.locations; l += grid_threads())
        view.words.writers[l] = view.words.readers[l] = ~0ull;
      grid.sync();
    }
    reserve_round(loop, map, view, plan, round);
    grid.sync();
    check_round(loop, map, view, plan, round, counters);
    grid.sync();
    const unsigned long long unstable = load_relaxed(&counters.unstable);
    const unsigned long long bad = load_relaxed(&counters.bad);
    if (bad != ~0ull && bad < unstable) {
      if (is_first)
        view.result->bad_iteration = bad;
      break;
    }
    commit_round(loop, view, plan, index_t(unstable), counters);
    grid.sync();
    plan.end(index_t(load_relaxed(&counters.failed)), view.capacity);
    ++round;
  }
  if (is_first)
    view.result->rounds = plan.number;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_ROUNDS_HPP
