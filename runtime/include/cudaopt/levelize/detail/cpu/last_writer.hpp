// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::last_writer on the CPU: loops that only write. All iterations run
/// in any order, and of the writers to a location only the last one stores.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_LAST_WRITER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_LAST_WRITER_HPP

#include "cudaopt/levelize/detail/cpu/inspection.hpp"
#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::last_writer> {
  struct state : plan_state {
    host_array<index_t> begin; ///< By iteration: its first slot; and the end.
    host_bits stores;          ///< By slot: no later iteration overwrites it.
    unsigned span[max_arrays + 1] = {};

    std::size_t bytes() const override {
      return begin.bytes() + stores.bytes();
    }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    if (!in.table.has_only(access_traits::writes))
      return status::unsupported;
    const access_order &order = in.order;
    auto made = make_or_null<state>();
    s = made ? copy_items(in.memory, in.table.begin, made->begin)
             : status::out_of_memory;
    if (s == status::ok)
      s = made->stores.allocate(in.memory, in.table.slots());
    if (s != status::ok)
      return s;
    std::copy(std::begin(in.map.span), std::end(in.map.span), made->span);
    for (index_t k = 0; k < in.table.slots(); ++k) {
      const index_t e = order.entry_of[k], c = order.cell[e];
      if (e == (Rules::last_write_wins ? order.cell_begin[c + 1] - 1
                                       : order.cell_begin[c]))
        made->stores.set(k);
    }
    result = std::move(made);
    return status::ok;
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t iterations,
                        Team &team) {
    claims work(iterations, block_of(iterations, team.size()));
    team.run([&](int) {
      write_memory<Team> memory{{}, s, team};
      share(team, work, [&](index_t i) {
        memory.next = s.begin[i];
        loop.body(i, memory);
      });
    });
    return ending_of(team);
  }

private:
  template <class Team> struct write_memory : refused_accesses {
    state &state_;
    Team &workers_;
    index_t next = 0; ///< The first slot of the next access.

    /// Stores the element, or of one that shares bytes with others, those parts
    /// that no later iteration overwrites.
    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE void store(const array<T> &a, index_t j, T v) {
      const unsigned span = state_.span[a.number()];
      const index_t first = next;
      next += span;
      workers_.step();
      if (span == 1) {
        if (state_.stores[first])
          store_relaxed(a.data + j, v);
        return;
      }
      const auto *from = reinterpret_cast<const std::uint8_t *>(&v);
      auto *to = reinterpret_cast<std::uint8_t *>(a.data + j);
      const unsigned part = unsigned(sizeof(T)) / span;
      for (unsigned b = 0; b < sizeof(T); ++b)
        if (state_.stores[first + b / part])
          store_relaxed(to + b, from[b]);
    }
  };
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_LAST_WRITER_HPP
