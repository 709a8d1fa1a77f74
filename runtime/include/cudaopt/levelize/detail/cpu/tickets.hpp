// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::tickets on the CPU: dataflow with a counter for each location
/// (../ticket_table.hpp explains tickets).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_TICKETS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_TICKETS_HPP

#include "cudaopt/levelize/detail/cpu/counters.hpp"
#include "cudaopt/levelize/detail/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::tickets> {
  /// The ticket of one iteration's accesses to a location (cell): they wait
  /// until `need` earlier ones have ended.
  struct ticket {
    index_t cell;
    index_t need;
    bool signals; ///< A later one may wait for them.
  };
  struct state : plan_state {
    host_array<index_t> begin; ///< By iteration: its first ticket; and the end.
    host_array<ticket> tickets;
    counters done;

    std::size_t bytes() const override {
      return begin.bytes() + tickets.bytes() + done.bytes();
    }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    auto made = make_or_null<state>();
    host_array<ticket> by_entry;
    entries_by_iteration by_iteration;
    s = by_entry.allocate(in.memory, in.order.entries());
    if (s == status::ok)
      s = by_iteration.find(in.memory, in.order, in.iterations);
    if (s == status::ok && made)
      s = made->tickets.allocate(in.memory, in.order.entries());
    if (s == status::ok && made)
      s = made->done.allocate(in.memory, in.order.cells());
    if (s != status::ok || !made)
      return status::out_of_memory;
    find_tickets<Rules>(in.order, by_entry);
    made->begin = std::move(by_iteration.begin);
    for (index_t k = 0; k < in.order.entries(); ++k)
      made->tickets[k] = by_entry[by_iteration.entry[k]];
    result = std::move(made);
    return status::ok;
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t iterations,
                        Team &team) {
    s.done.reset();
    // Claimed in order: the smallest unfinished iteration never waits, so that
    // there is progress.
    claims work(iterations);
    team.run([&](int) {
      shared_memory<Team> memory(team);
      share(team, work, [&](index_t i) {
        const index_t begin = s.begin[i], end = s.begin[i + 1];
        for (index_t k = begin; k < end; ++k) {
          const ticket &t = s.tickets[k];
          if (t.need && !s.done.wait_for(team, t.cell, t.need))
            return;
        }
        loop.body(i, memory);
        for (index_t k = begin; k < end; ++k)
          if (s.tickets[k].signals)
            s.done.add(team, s.tickets[k].cell);
      });
    });
    return ending_of(team);
  }

private:
  template <class Rules>
  static void find_tickets(const access_order &order,
                           host_array<ticket> &result) {
    for (index_t c = 0; c < order.cells(); ++c) {
      const index_t begin = order.cell_begin[c], end = order.cell_begin[c + 1];
      index_t after_write = 0;
      for (index_t e = begin; e < end; ++e) {
        result[e].cell = c;
        result[e].need = Rules::need(order.writes(e), e - begin, after_write);
        if (order.writes(e))
          after_write = e - begin + 1;
      }
      bool has_later_write = false;
      for (index_t e = end; e-- > begin;) {
        result[e].signals =
            Rules::signals(order.writes(e), has_later_write, e + 1 < end);
        has_later_write |= order.writes(e);
      }
    }
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_TICKETS_HPP
