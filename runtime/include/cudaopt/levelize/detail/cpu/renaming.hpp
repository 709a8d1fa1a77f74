// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::renaming on the CPU: dataflow in which every write has a cell of
/// its own, so that only reads wait. The arrays get the last values in the end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_RENAMING_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_RENAMING_HPP

#include "cudaopt/levelize/detail/cpu/counters.hpp"
#include "cudaopt/levelize/detail/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::renaming> {
  /// Where one access of a body reads from and writes to. An entry is the
  /// accesses of one iteration to one location.
  struct slot {
    /// The entry whose value a read gets; if negative, the array's value.
    index_t source;
    index_t entry; ///< Where a write goes.
    bool is_own;   ///< The source is of the same iteration.
    bool modifies;
  };
  /// The entry whose value a location has after the loop.
  struct final_value {
    index_t entry;
    word_place place;
  };
  struct state : plan_state {
    host_array<index_t> begin; ///< By iteration: its first slot; and the end.
    host_array<slot> slots;
    host_array<final_value> finals;   ///< One for each location written.
    host_array<std::uint64_t> values; ///< By entry.
    counters ready;                   ///< By entry: 1 if its value is there.

    std::size_t bytes() const override {
      return begin.bytes() + slots.bytes() + finals.bytes() + values.bytes() +
             ready.bytes();
    }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    if (!has_word_locations(in))
      return status::unsupported;
    status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    auto made = make_or_null<state>();
    s = made ? find_sources(in, *made) : status::out_of_memory;
    if (s == status::ok)
      s = copy_items(in.memory, in.table.begin, made->begin);
    if (s == status::ok)
      s = made->values.allocate(in.memory, in.order.entries());
    if (s == status::ok)
      s = made->ready.allocate(in.memory, in.order.entries());
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t iterations,
                        Team &team) {
    s.ready.reset();
    claims work(iterations);
    claims ends(s.finals.size(), 64);
    barrier between(team.size());
    team.run([&](int) {
      renamed_memory<Team> memory(s, team);
      share(team, work, [&](index_t i) {
        memory.next = s.begin[i];
        loop.body(i, memory);
        for (index_t k = s.begin[i]; k < s.begin[i + 1]; ++k)
          if (s.slots[k].modifies)
            s.ready.add(team, s.slots[k].entry);
      });
      // The arrays keep their old values until no body reads them any more.
      if (!between.meet(team))
        return;
      share(team, ends, [&](index_t k) {
        s.finals[k].place.store(s.values[s.finals[k].entry]);
      });
    });
    return ending_of(team);
  }

private:
  template <class Team> struct renamed_memory {
    renamed_memory(state &s, Team &team) : state_(s), workers_(team) {}
    index_t next = 0; ///< The slot of the next access.

    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                    index_t j) {
      return read<std::remove_const_t<T>>(state_.slots[next++], a.data + j);
    }
    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE void store(const array<T> &, index_t, T v) {
      write(state_.slots[next++], v);
    }
    CUDAOPT_CALLS_HOST
    template <class T, class Op>
    CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op op, T v) {
      const slot &s = state_.slots[next++];
      write(s, op(read<T>(s, a.data + j), v));
    }

  private:
    template <class T> T read(const slot &s, const T *place) {
      if (s.source >= 0 && !s.is_own &&
          !state_.ready.wait_for(workers_, s.source, 1))
        return T();
      workers_.step();
      return s.source < 0 ? load_relaxed(place)
                          : from_word<T>(state_.values[s.source]);
    }
    CUDAOPT_CALLS_HOST
    template <class T> CUDAOPT_HOST_DEVICE void write(const slot &s, T v) {
      workers_.step();
      state_.values[s.entry] = to_word(v);
    }

    state &state_;
    Team &workers_;
  };

  /// Finds the reaching definition of each read: the last write to its location
  /// by an earlier iteration, or by its own one if that came before the read.
  static status find_sources(const inspection &in, state &made) {
    const access_order &order = in.order;
    host_array<index_t> before;
    host_bits is_written;
    if (before.allocate(in.memory, order.entries()) != status::ok ||
        is_written.allocate(in.memory, order.entries()) != status::ok ||
        made.slots.allocate(in.memory, in.table.slots()) != status::ok ||
        made.finals.reserve(in.memory, order.cells()) != status::ok)
      return status::out_of_memory;
    for (index_t c = 0; c < order.cells(); ++c) {
      index_t last_write = -1;
      for (index_t e = order.cell_begin[c]; e < order.cell_begin[c + 1]; ++e) {
        before[e] = last_write;
        if (order.writes(e))
          last_write = e;
      }
      if (last_write >= 0 &&
          !made.finals.append({last_write, place_of(in, order.location[c])}))
        return status::out_of_memory;
    }
    made.finals.shrink();
    for (index_t k = 0; k < in.table.slots(); ++k) {
      const index_t e = order.entry_of[k];
      const bool modifies = access_traits::modifies(in.table.traits[k]);
      made.slots[k] = {is_written[e] ? e : before[e], e, is_written[e],
                       modifies};
      if (modifies)
        is_written.set(e);
    }
    return status::ok;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_RENAMING_HPP
