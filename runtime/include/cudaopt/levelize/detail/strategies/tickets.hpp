// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::tickets: dataflow in place, with a counter for each location that
/// tells how many of its accesses have ended (ticket_table.hpp). A loop whose
/// tickets do not fit into memory is run in windows (ticket_windows.hpp); its
/// executions wait for the device.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKETS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKETS_HPP

#include "cudaopt/levelize/detail/strategies/ticket_windows.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

template <> struct on_device<strategy::tickets> {
  struct state : plan_state {
    ticket_table<std::uint32_t> narrow;
    ticket_table<std::uint64_t> wide; ///< One of the two is used.
    bool is_narrow = true;
    ticket_counters counters;
    ticket_windows windows; ///< If used, it replaces all other members.

    std::size_t bytes() const override {
      return narrow.bytes() + wide.bytes() + counters.bytes() + windows.bytes();
    }
    std::uint32_t *stalled_word() const override {
      return windows.are_used() ? windows.stalled_word()
                                : counters.stalled_word();
    }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &work, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    access_summary summary;
    status s = summarize_accesses(work, loop, summary);
    if (s != status::ok)
      return s;
    const bool has_window =
        work.wanted.window > 0 && work.wanted.window < work.iterations;
    if (!has_window)
      s = inspect_whole(work, loop, summary, *made);
    if (has_window || s == status::out_of_memory) {
      made = std::make_unique<state>(); // Frees what was made so far.
      scratch memory(work.wanted, work.memory.on());
      inspection again{work.iterations, work.map, work.wanted, memory,
                       work.info};
      s = made->windows.begin(again, loop, summary);
      (void)work.memory.check(memory.error());
    }
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &made, const Loop &loop, index_t iterations,
                        stream on) {
    if (made.windows.are_used())
      return made.windows.run(loop, iterations, on);
    const run_body<Loop> work{loop};
    return made.is_narrow
               ? made.counters.run(work, iterations, made.narrow.view(), on)
               : made.counters.run(work, iterations, made.wide.view(), on);
  }

private:
  template <class Loop>
  static status inspect_whole(inspection &work, const Loop &loop,
                              const access_summary &summary, state &made) {
    made.is_narrow = has_narrow_numbers(summary, work.map);
    made.narrow.list.summary = made.wide.list.summary = summary;
    status s = made.is_narrow ? made.narrow.make(work, loop)
                              : made.wide.make(work, loop);
    if (s != status::ok)
      return s;
    return made.counters.allocate(work, made.is_narrow ? made.narrow.counters
                                                       : made.wide.counters);
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKETS_HPP
