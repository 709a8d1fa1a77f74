// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::owner: dataflow over the rows of a row_loop. Every row has a cell,
/// and a term that reads a row's new value waits for its cell. Where some term
/// reads an old value, x keeps its old values until all rows are done.
///
/// Rows run in the loop's order, by lines (row_lines.hpp), or, where a plan is
/// used again, in the order of their levels (row_plan.hpp): then rows that wait
/// for each other are far apart.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_OWNER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_OWNER_HPP

#include "cudaopt/levelize/detail/inspect/inspection.hpp"
#include "cudaopt/levelize/detail/rows/row_lines.hpp"
#include "cudaopt/levelize/detail/rows/row_plan.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

template <> struct on_device<strategy::owner> {
  struct state : plan_state {
    row_engine engine;
    row_facts facts;
    index_t rows = 0;
    row_lines lines;
    row_plan plan;
    bool uses_levels = false;

    std::size_t bytes() const override {
      return engine.control.bytes() + engine.cells.bytes() + lines.bytes() +
             plan.bytes();
    }
    std::uint32_t *stalled_word() const override {
      return &engine.control.data()->watch.stalled;
    }
  };

  template <class Loop> static constexpr bool applies_to_rows() {
    if constexpr (is_row_loop<Loop>::value)
      return is_word<typename Loop::value_type>;
    else
      return false;
  }
  template <class Loop> static constexpr bool applies = applies_to_rows<Loop>();

  /// From these numbers of rows on, the rows in flight are such a small share
  /// of all that lines are worth their search: for one run, and for several.
  static constexpr index_t rows_for_lines = 800000;
  static constexpr index_t rows_for_lines_again = 300000;
  /// From this number of executions on, an order by levels pays.
  static constexpr int runs_for_levels = 3;
  /// From this number on, trials of both orders pay, too.
  static constexpr int runs_for_trials = 10;
  /// With fewer rows a level than this, neighbours mostly wait for each other,
  /// and hand their values on fastest inside of a warp, in the loop's own
  /// order. Trials are made from the second number on.
  static constexpr index_t narrow = 24, narrow_for_trials = 4;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    const index_t n = made->rows = in.iterations;
    status s = look(in, loop, made->facts);
    if (s == status::ok && n >= (in.wanted.expected_runs < runs_for_levels
                                     ? rows_for_lines
                                     : rows_for_lines_again)) {
      s = made->lines.make(in.memory, loop, n, made->facts, stall_limit_ns(in));
      if (s == status::out_of_memory) {
        made->lines = row_lines();
        s = status::ok;
      }
    }
    if (s == status::ok && in.wanted.expected_runs >= runs_for_levels) {
      // Without memory for an order there is still the loop's own.
      s = made->plan.make(in.memory, loop, n, made->facts, made->lines.order(),
                          stall_limit_ns(in),
                          in.wanted.expected_runs < runs_for_trials
                              ? narrow
                              : narrow_for_trials);
      if (s == status::out_of_memory) {
        made->plan = row_plan();
        s = status::ok;
      }
      in.info.levels = made->plan.levels;
    }
    made->uses_levels = made->plan.is_made;
    if (s == status::ok)
      s = made->engine.prepare(in.memory, n,
                               row_cells<typename Loop::value_type>::cell_bytes,
                               stall_limit_ns(in));
    if (s != status::ok)
      return s;
    made->engine.run.writes_through = made->facts.old == 0;
    s = in.memory.check(fit<Loop>(*made, tuning_for(*made)));
    if (s == status::ok && made->uses_levels &&
        in.wanted.expected_runs >= runs_for_trials)
      s = choose_order(in, loop, *made);
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &st, const Loop &loop, index_t iterations,
                        stream s) {
    if (iterations != st.rows)
      return status::unsupported;
    const cudaError_t e = st.uses_levels
                              ? st.engine.execute(loop, st.plan.order(), s)
                              : st.engine.execute(loop, st.lines.order(), s);
    return e == cudaSuccess ? status::ok : status::cuda_error;
  }

  static row_tuning tuning_for(const state &st) {
    return {st.uses_levels ? st.plan.slots : row_slots_for(st.facts, st.rows)};
  }
  template <class Loop>
  static cudaError_t fit(state &st, const row_tuning &tuning) {
    if (!st.uses_levels)
      return st.engine.fit<Loop>(st.rows, st.lines.order(), tuning);
    return st.engine.fit<Loop>(st.rows, st.plan.order(), tuning);
  }

private:
  /// The watchdog's limit in ns.
  static std::uint64_t stall_limit_ns(const inspection &in) {
    return std::uint64_t(in.wanted.stall_ms ? in.wanted.stall_ms : 10000) *
           1000000;
  }

  /// Gathers the facts of the rows. status::index_out_of_range if one reads or
  /// writes outside of x.
  template <class Loop>
  static status look(inspection &in, const Loop &loop, row_facts &facts) {
    const index_t n = in.iterations;
    if (n == 0)
      return status::ok;
    for (index_t t : {index_t(0), n - 1})
      if (std::uint64_t(loop.row(t)) >= std::uint64_t(loop.x.size)) {
        in.info.bad_iteration = 0;
        if (std::uint64_t(loop.row(0)) < std::uint64_t(loop.x.size))
          in.info.bad_iteration =
              loop.stride > 0 ? loop.x.size - loop.first : loop.first + 1;
        return status::index_out_of_range;
      }
    const status s = find_facts(in.memory, loop, n, facts);
    in.info.accesses = index_t(facts.terms) + n;
    if (s == status::ok && facts.first_bad != ~0ull) {
      in.info.bad_iteration = index_t(facts.first_bad);
      return status::index_out_of_range;
    }
    return s;
  }

  /// Times an execution in both orders, and keeps the faster one. An order by
  /// levels scatters the rows in memory; where levels are few and wide, the
  /// loop's own order may be faster.
  template <class Loop>
  static status choose_order(inspection &in, const Loop &loop, state &st) {
    const stream on = in.memory.on();
    const float by_level = st.engine.try_ms(loop, st.plan.order(), on);
    st.uses_levels = false;
    status s = in.memory.check(fit<Loop>(st, tuning_for(st)));
    if (s != status::ok)
      return s;
    const float in_order = st.engine.try_ms(loop, st.lines.order(), on);
    std::uint32_t stalled = 0;
    s = in.memory.check(
        cudaMemcpyAsync(&stalled, st.stalled_word(), 4, cudaMemcpyDefault, on));
    if (s == status::ok)
      s = in.memory.check(cudaStreamSynchronize(on));
    if (s != status::ok)
      return s;
    if (stalled)
      return status::stalled;
    if (by_level < 0 || in_order < 0)
      return in.memory.check(cudaErrorUnknown);
    if (in_order <= by_level) {
      st.plan.release();
      return status::ok;
    }
    st.uses_levels = true;
    return in.memory.check(fit<Loop>(st, tuning_for(st)));
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_OWNER_HPP
