// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::owner on the CPU: dataflow for loops in which no location has two
/// writers. Writes go straight to the arrays, as each location is written once;
/// values that are read before that are copied aside first.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_OWNER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_OWNER_HPP

#include "cudaopt/levelize/detail/cpu/counters.hpp"
#include "cudaopt/levelize/detail/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::owner> {
  /// Encodes what a slot's read gets: array_value is the array's value, k >= 0
  /// the array's value once iteration k has ended, old(k) the k-th of the
  /// values that were copied aside. old() is its own inverse.
  static constexpr index_t array_value = -1;
  static index_t old(index_t k) { return -2 - k; }

  struct state : plan_state {
    host_array<index_t> begin;   ///< By iteration: its first slot; and the end.
    host_array<index_t> source;  ///< By slot, as above.
    host_array<word_place> kept; ///< Words that are read before their write.
    host_array<std::uint64_t> old_values; ///< Their values before the loop.
    counters ended;                       ///< By iteration: 1 if it has ended.

    std::size_t bytes() const override {
      return begin.bytes() + source.bytes() + kept.bytes() +
             old_values.bytes() + ended.bytes();
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
    host_array<index_t> of_entry;
    s = made ? of_entry.allocate(in.memory, in.order.entries())
             : status::out_of_memory;
    if (s == status::ok)
      s = made->kept.reserve(in.memory, in.order.cells() / 4);
    for (index_t c = 0; c < in.order.cells() && s == status::ok; ++c)
      s = find_sources<Rules>(in, c, *made, of_entry);
    if (s == status::ok)
      s = copy_items(in.memory, in.table.begin, made->begin);
    if (s == status::ok)
      s = made->source.allocate(in.memory, in.table.slots());
    if (s == status::ok)
      s = made->old_values.allocate(in.memory, made->kept.size());
    if (s == status::ok)
      s = made->ended.allocate(in.memory, in.iterations);
    if (s != status::ok)
      return s;
    for (index_t k = 0; k < in.table.slots(); ++k)
      made->source[k] = of_entry[in.order.entry_of[k]];
    made->kept.shrink();
    result = std::move(made);
    return status::ok;
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t iterations,
                        Team &team) {
    s.ended.reset();
    claims copies(s.kept.size(), 64), work(iterations);
    barrier between(team.size());
    team.run([&](int) {
      share(team, copies,
            [&](index_t k) { s.old_values[k] = s.kept[k].load(); });
      if (!between.meet(team))
        return;
      owner_memory<Team> memory(s, team);
      share(team, work, [&](index_t i) {
        memory.next = s.begin[i];
        loop.body(i, memory);
        s.ended.add(team, i);
      });
    });
    return ending_of(team);
  }

private:
  template <class Team> struct owner_memory {
    owner_memory(state &s, Team &team) : state_(s), workers_(team) {}
    index_t next = 0; ///< The slot of the next access.

    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                    index_t j) {
      return read<std::remove_const_t<T>>(state_.source[next++], a.data + j);
    }
    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE void store(const array<T> &a, index_t j, T v) {
      ++next;
      workers_.step();
      store_relaxed(a.data + j, v);
    }
    CUDAOPT_CALLS_HOST
    template <class T, class Op>
    CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op op, T v) {
      workers_.step();
      store(a, j, op(load_relaxed(a.data + j), v));
    }

  private:
    template <class T> T read(index_t source, const T *place) {
      if (source < array_value)
        return from_word<T>(state_.old_values[old(source)]);
      if (source >= 0 && !state_.ended.wait_for(workers_, source, 1))
        return T();
      workers_.step();
      return load_relaxed(place);
    }

    state &state_;
    Team &workers_;
  };

  /// Finds the sources of all entries of location \p c; status::unsupported if
  /// it has two writers.
  template <class Rules>
  static status find_sources(const inspection &in, index_t c, state &made,
                             host_array<index_t> &of_entry) {
    const access_order &order = in.order;
    const index_t begin = order.cell_begin[c], end = order.cell_begin[c + 1];
    index_t writer = -1;
    for (index_t e = begin; e < end; ++e)
      if (order.writes(e)) {
        if (writer >= 0)
          return status::unsupported;
        writer = e;
      }
    for (index_t e = begin; e < end; ++e)
      of_entry[e] =
          e > writer && writer >= 0 ? order.iteration[writer] : array_value;
    if (writer > begin && Rules::keeps_old_values) {
      std::fill(of_entry.begin() + begin, of_entry.begin() + writer,
                old(made.kept.size()));
      if (!made.kept.append(place_of(in, order.location[c])))
        return status::out_of_memory;
    }
    return status::ok;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_OWNER_HPP
