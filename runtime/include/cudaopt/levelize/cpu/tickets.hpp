// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Dataflow with a counter for each location.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_TICKETS_HPP
#define CUDAOPT_LEVELIZE_CPU_TICKETS_HPP

#include "cudaopt/levelize/cpu/counters.hpp"
#include "cudaopt/levelize/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::tickets> {
  /// An access waits until `need` accesses to its location have ended.
  struct ticket {
    index_t cell;
    index_t need;
    bool signals;
  };
  struct state : plan_state {
    std::vector<index_t> begin; ///< Tickets of an iteration.
    std::vector<ticket> tickets;
    counters done;

    std::size_t bytes() const override {
      return bytes_of(begin) + bytes_of(tickets) + done.bytes();
    }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    const status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    auto made = std::make_unique<state>();
    const std::vector<ticket> by_entry = tickets_of<Rules>(in.order);
    entries_by_iteration by_iteration(in.order, in.iterations);
    made->begin = std::move(by_iteration.begin);
    made->tickets.reserve(by_entry.size());
    for (index_t e : by_iteration.entry)
      made->tickets.push_back(by_entry[e]);
    made->done = counters(in.order.cells());
    return keep_within(in, std::move(made), result);
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t iterations,
                        Team &team) {
    s.done.reset();
    // Claimed in order: the smallest unfinished iteration never waits.
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
  static std::vector<ticket> tickets_of(const access_order &order) {
    std::vector<ticket> result(std::size_t(order.entries()));
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
    return result;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_TICKETS_HPP
