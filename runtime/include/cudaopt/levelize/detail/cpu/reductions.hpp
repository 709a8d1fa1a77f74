// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The strategies of the CPU for loops that only update: atomic_reduction, with
/// atomics in any order, and ordered_reduction, in the loop's order for each
/// location.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_REDUCTIONS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_REDUCTIONS_HPP

#include "cudaopt/levelize/detail/cpu/inspection.hpp"
#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"

namespace cudaopt::detail::cpu {

/// status::ok if all slots of a cell are the same in the bits \p traits.
inline status expect_uniform_cells(const inspection &in, unsigned traits) {
  host_array<std::uint16_t> first;
  const status s = first.allocate(in.memory, in.order.cells());
  if (s != status::ok)
    return s;
  for (index_t slot : in.order.slots) {
    const index_t c = in.order.cell[in.order.entry_of[slot]];
    const auto mine = std::uint16_t(in.table.traits[slot] & traits);
    if (first[c] && first[c] != mine)
      return status::unsupported;
    first[c] = mine;
  }
  return status::ok;
}

/// status::ok if the loop only updates, elements are words, and all updates of
/// a cell are the same in the bits \p traits, such as the array's number: then
/// elements of different arrays do not overlap.
template <class Rules, class Loop>
status inspect_updates(inspection &in, const Loop &loop, unsigned traits) {
  for (int a = 0; a < in.arrays.count; ++a) {
    const unsigned bytes = in.arrays.items[a].element_bytes;
    if (bytes > 8 || (bytes & (bytes - 1)))
      return status::unsupported;
  }
  const status s = find_order<Rules>(in, loop);
  if (s != status::ok)
    return s;
  return in.table.has_only(access_traits::updates)
             ? expect_uniform_cells(in, traits)
             : status::unsupported;
}

template <> struct on_cpu<strategy::atomic_reduction> {
  struct state : plan_state {
    std::size_t bytes() const override { return 0; }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    const status s = inspect_updates<Rules>(in, loop, 0xffff);
    if (s != status::ok)
      return s;
    if (in.wanted.exact && (in.table.all_traits & access_traits::is_ordered))
      return status::unsupported;
    result = make_or_null<state>();
    return result ? status::ok : status::out_of_memory;
  }

  template <class Loop, class Team>
  static status execute(state &, const Loop &loop, index_t iterations,
                        Team &team) {
    claims work(iterations, block_of(iterations, team.size()));
    team.run([&](int) {
      atomic_memory<Team> memory{{}, team};
      share(team, work, [&](index_t i) { loop.body(i, memory); });
    });
    return ending_of(team);
  }

private:
  template <class Team> struct atomic_memory : refused_accesses {
    Team &workers_;

    CUDAOPT_CALLS_HOST
    template <class T, class Op>
    CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op op, T v) {
      if constexpr (is_word<T>) {
        using bits = bits_of<T>;
        auto *place = reinterpret_cast<bits *>(a.data + j);
        workers_.step();
        bits seen = __atomic_load_n(place, __ATOMIC_RELAXED);
        bits wanted;
        do {
          workers_.step();
          wanted = bit_cast<bits>(op(bit_cast<T>(seen), v));
        } while (!__atomic_compare_exchange_n(
            place, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
      }
    }
  };
};

/// An execution has two steps with a barrier between them: all bodies run and
/// leave the values of their updates; then those of each location are folded in
/// order.
template <> struct on_cpu<strategy::ordered_reduction> {
  /// One update that is to be made.
  struct pending {
    void *place;
    std::uint64_t value;
    void (*apply)(void *place, std::uint64_t value);
  };
  struct state : plan_state {
    host_array<index_t> begin; ///< By iteration: its first slot; and the end.
    /// The slots by element, in order, and where those of each element begin.
    host_array<index_t> chain_begin, slots;
    host_array<pending> updates; ///< By slot.
    unsigned span[max_arrays + 1] = {};

    std::size_t bytes() const override {
      return begin.bytes() + chain_begin.bytes() + slots.bytes() +
             updates.bytes();
    }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    status s = inspect_updates<Rules>(
        in, loop, 7u << access_traits::array_shift | access_traits::updates);
    if (s != status::ok)
      return s;
    auto made = make_or_null<state>();
    s = made ? copy_items(in.memory, in.table.begin, made->begin)
             : status::out_of_memory;
    if (s == status::ok)
      s = made->chain_begin.reserve(in.memory, in.order.cells() + 1);
    if (s == status::ok)
      s = made->slots.reserve(in.memory, in.table.slots());
    if (s == status::ok)
      s = made->updates.allocate(in.memory, in.table.slots());
    if (s != status::ok || !list_chains(in, *made))
      return status::out_of_memory;
    std::copy(std::begin(in.map.span), std::end(in.map.span), made->span);
    made->chain_begin.shrink();
    made->slots.shrink();
    result = std::move(made);
    return status::ok;
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t iterations,
                        Team &team) {
    const index_t chains = s.chain_begin.size() - 1;
    claims bodies(iterations, block_of(iterations, team.size()));
    claims folds(chains, block_of(chains, team.size()));
    barrier between(team.size());
    team.run([&](int) {
      value_memory<Team> memory{{}, s, team};
      share(team, bodies, [&](index_t i) {
        memory.next = s.begin[i];
        loop.body(i, memory);
      });
      if (!between.meet(team))
        return;
      share(team, folds, [&](index_t c) {
        for (index_t k = s.chain_begin[c]; k < s.chain_begin[c + 1]; ++k) {
          team.step();
          const pending &update = s.updates[s.slots[k]];
          update.apply(update.place, update.value);
        }
      });
    });
    return ending_of(team);
  }

private:
  template <class Team> struct value_memory : refused_accesses {
    state &state_;
    Team &workers_;
    index_t next = 0; ///< The first slot of the next access.

    CUDAOPT_CALLS_HOST
    template <class T, class Op>
    CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op, T v) {
      workers_.step();
      state_.updates[next] = {a.data + j, to_word(v), apply<T, Op>};
      next += state_.span[a.number()];
    }
  };

  template <class T, class Op>
  static void apply(void *place, std::uint64_t value) {
    T *p = static_cast<T *>(place);
    *p = Op{}(*p, from_word<T>(value));
  }

  /// Lists the updates of each element; of an element with several locations
  /// the slot of the first one stands for all. Returns false if there is no
  /// memory.
  static bool list_chains(const inspection &in, state &made) {
    const access_order &order = in.order;
    index_t cell = -1;
    for (index_t slot : order.slots) {
      if (!is_first_part(in, slot))
        continue;
      const index_t c = order.cell[order.entry_of[slot]];
      if (c != cell && !made.chain_begin.append(made.slots.size()))
        return false;
      cell = c;
      if (!made.slots.append(slot))
        return false;
    }
    return made.chain_begin.append(made.slots.size());
  }

  static bool is_first_part(const inspection &in, index_t slot) {
    const int a = in.table.traits[slot] >> access_traits::array_shift;
    return (in.table.location[slot] - in.map.origin[a]) %
               index_t(in.map.span[a]) ==
           0;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_REDUCTIONS_HPP
