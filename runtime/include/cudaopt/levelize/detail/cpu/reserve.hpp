// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::reserve on the CPU: rounds of reservations, for loops whose
/// addresses depend on what they write.
///
/// In a round the smallest pending iterations find their accesses in memory as
/// it is now and mark them. Let u be the smallest one that got an address from
/// an element which a smaller pending iteration writes: from u on addresses may
/// be wrong. Below u an iteration runs if no smaller pending one conflicts with
/// it. The smallest pending iteration always runs, so that each round makes
/// progress.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_RESERVE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_RESERVE_HPP

#include "cudaopt/levelize/detail/cpu/inspection.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"

#include <limits>

namespace cudaopt::detail::cpu {

/// The smallest pending reader and writer of each location.
class reservations {
public:
  static constexpr index_t no_iteration = std::numeric_limits<index_t>::max();

  status allocate(host_scratch &memory, index_t locations) {
    return marks_.allocate_filled(memory, locations,
                                  {no_iteration, no_iteration});
  }
  /// Removes all marks.
  void clear() {
    std::fill(marks_.begin(), marks_.end(), mark{no_iteration, no_iteration});
  }

  template <class Team>
  void reserve(Team &team, index_t location, bool writes, index_t i) {
    index_t *place =
        writes ? &marks_[location].writer : &marks_[location].reader;
    team.step();
    index_t seen = load_relaxed(place);
    while (i < seen &&
           !__atomic_compare_exchange_n(place, &seen, i, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
      team.step();
  }
  bool has_smaller_writer(index_t location, index_t i) const {
    return load_relaxed(&marks_[location].writer) < i;
  }
  bool has_smaller_reader(index_t location, index_t i) const {
    return load_relaxed(&marks_[location].reader) < i;
  }
  void release(index_t location) {
    store_relaxed(&marks_[location].writer, no_iteration);
    store_relaxed(&marks_[location].reader, no_iteration);
  }
  std::size_t bytes() const { return marks_.bytes(); }

private:
  struct mark {
    index_t writer, reader;
  };
  host_array<mark> marks_;
};

template <> struct on_cpu<strategy::reserve> {
  /// One access that an iteration would make.
  struct reservation {
    index_t location;
    bool writes;
    bool gives_address; ///< The slice reads it, to find another access.
  };
  /// One iteration of a round.
  struct pending {
    index_t iteration = 0;
    host_array<reservation> accesses;
    bool is_bad = false;  ///< An index was out of range.
    bool is_full = false; ///< There was no memory for an access.
    bool runs = false;
  };
  struct state : plan_state {
    state(const location_map &m, host_scratch &from) : map(m), memory(from) {}
    ~state() override { memory.give_back(round_bytes()); }
    location_map map;
    host_scratch &memory;
    reservations marks;
    bool has_marks = false; ///< The last execution left marks behind.
    std::unique_ptr<pending[]> round;
    index_t round_size = 0;

    std::size_t round_bytes() const {
      return std::size_t(round_size) * sizeof(pending);
    }
    std::size_t bytes() const override { return marks.bytes() + round_bytes(); }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &,
                        std::unique_ptr<plan_state> &result) {
    auto made = make_or_null<state>(in.map, in.memory);
    const index_t wanted =
        in.wanted.window > 0 ? in.wanted.window : index_t(1) << 14;
    if (!made ||
        made->marks.allocate(in.memory, in.map.locations) != status::ok ||
        !allocate_round(*made, std::min(in.iterations, wanted)))
      return status::out_of_memory;
    result = std::move(made);
    return status::ok;
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t iterations,
                        Team &team) {
    return execute_by<exact_rules>(s, loop, iterations, team);
  }

  /// Executes all iterations. At an index out of range all iterations before it
  /// have run, and some later ones may have.
  template <class Rules, class Loop, class Team>
  static status execute_by(state &s, const Loop &loop, index_t iterations,
                           Team &team) {
    if (s.has_marks)
      s.marks.clear();
    s.has_marks = true;
    const status ending = run_rounds<Rules>(s, loop, iterations, team);
    s.has_marks = ending == status::stalled;
    return ending;
  }

private:
  /// Rounds of fewer iterations take longer than the loop in order.
  static constexpr index_t least_round = 4096;

  /// Makes room for rounds of \p size iterations, or of a half, a quarter and
  /// so on, such that as much of the budget is left for their accesses. Returns
  /// false if there is no memory.
  static bool allocate_round(state &s, index_t size) {
    for (const index_t least = std::min(size, least_round); size >= least;
         size /= 2) {
      const std::size_t bytes = std::size_t(size) * sizeof(pending);
      if (std::size_t(size) > s.memory.left() / 2 / sizeof(pending) ||
          !s.memory.take(bytes))
        continue;
      s.round.reset(new (std::nothrow) pending[std::size_t(size)]);
      if (s.round) {
        s.round_size = size;
        return true;
      }
      s.memory.give_back(bytes);
    }
    return false;
  }

  template <class Rules, class Loop, class Team>
  static status run_rounds(state &s, const Loop &loop, index_t iterations,
                           Team &team) {
    pending *round = s.round.get();
    index_t active = 0, next = 0;
    while (true) {
      for (; active < s.round_size && next < iterations; ++active)
        round[active].iteration = next++;
      if (active == 0)
        return status::ok;
      run_round<Rules>(s, loop, round, active, team);
      if (team.was_stalled())
        return status::stalled;
      if (std::any_of(round, round + active,
                      [](const pending &p) { return p.is_full; })) {
        if (!run_in_order(s, loop, active))
          return status::index_out_of_range;
        active = 0;
        continue;
      }
      if (round[0].is_bad && !round[0].runs)
        return status::index_out_of_range;
      // Those that remain keep their order. Memory stays where it is: it is the
      // first ones that must have it.
      index_t left = 0;
      for (index_t k = 0; k < active; ++k)
        if (!round[k].runs)
          round[left++].iteration = round[k].iteration;
      active = left;
    }
  }

  /// Runs the rest of a round in which some iteration had no memory for its
  /// accesses, in order, which needs none. Otherwise rounds would run few
  /// iterations each. Returns false at an index out of range.
  template <class Loop>
  static bool run_in_order(state &s, const Loop &loop, index_t active) {
    direct_memory memory;
    for (index_t k = 0; k < active; ++k) {
      pending &p = s.round[std::size_t(k)];
      if (p.runs)
        continue;
      p.accesses.reset();
      p.is_bad = false;
      finder touch{s.map, p, false};
      loop.slice(p.iteration, touch);
      if (p.is_bad)
        return false;
      loop.body(p.iteration, memory);
    }
    return true;
  }

  /// The touch that fills a pending iteration from memory as it is.
  struct finder {
    const location_map &map;
    pending &result;
    bool keeps = true; ///< The accesses; else it only looks at indices.

    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE void read(const array<T> &a, index_t j) {
      add(a.number(), j, false, false);
    }
    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE void write(const array<T> &a, index_t j) {
      add(a.number(), j, true, false);
    }
    CUDAOPT_CALLS_HOST
    template <class T, class Op>
    CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op) {
      add(a.number(), j, true, false);
      if (!result.is_bad)
        add(a.number(), j, false, false);
    }
    CUDAOPT_CALLS_HOST
    template <class T>
    CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                    index_t j) {
      return add(a.number(), j, false, true) ? load_relaxed(a.data + j)
                                             : std::remove_const_t<T>();
    }

  private:
    bool add(int number, index_t j, bool writes, bool gives_address) {
      result.is_bad |= !map.contains(number, j);
      if (result.is_bad) // The addresses that follow may be nonsense, too.
        return false;
      for (unsigned k = 0; keeps && k < map.span[number]; ++k)
        result.is_full |= !result.accesses.append(
            {map.first(number, j) + index_t(k), writes, gives_address});
      return true;
    }
  };

  /// Returns true if no smaller pending iteration conflicts with \p p.
  template <class Rules> static bool is_free(const state &s, const pending &p) {
    for (const reservation &r : p.accesses) {
      if (s.marks.has_smaller_writer(r.location, p.iteration))
        return false;
      if (r.writes && Rules::commits_respect_readers &&
          s.marks.has_smaller_reader(r.location, p.iteration))
        return false;
    }
    return true;
  }
  /// Returns true if the accesses that \p p found are those that it will make
  /// when its turn comes.
  static bool is_stable(const state &s, const pending &p) {
    for (const reservation &r : p.accesses)
      if (r.gives_address &&
          s.marks.has_smaller_writer(r.location, p.iteration))
        return false;
    return !p.is_bad && !p.is_full;
  }

  /// One round: find and mark accesses, check them, run what may run; with a
  /// barrier after each of the first two steps.
  template <class Rules, class Loop, class Team>
  static void run_round(state &s, const Loop &loop, pending *round,
                        index_t active, Team &team) {
    const index_t block = block_of(active, team.size());
    claims finds(active, block), checks(active, block), bodies(active, block);
    std::atomic<index_t> frontier{reservations::no_iteration};
    barrier between(team.size());
    team.run([&](int) {
      share(team, finds, [&](index_t k) { find(s, loop, round[k], team); });
      if (!between.meet(team))
        return;
      share(team, checks, [&](index_t k) {
        pending &p = round[k];
        p.runs = !p.is_bad && !p.is_full && is_free<Rules>(s, p);
        if (is_stable(s, p))
          return;
        index_t seen = frontier.load(std::memory_order_relaxed);
        while (p.iteration < seen &&
               !frontier.compare_exchange_weak(seen, p.iteration,
                                               std::memory_order_relaxed))
          team.step();
      });
      if (!between.meet(team))
        return;
      shared_memory<Team> memory(team);
      share(team, bodies, [&](index_t k) {
        pending &p = round[k];
        if (Rules::has_frontier)
          p.runs &= p.iteration < frontier.load(std::memory_order_relaxed);
        for (const reservation &r : p.accesses)
          s.marks.release(r.location);
        if (p.runs)
          loop.body(p.iteration, memory);
      });
    });
  }

  template <class Loop, class Team>
  static void find(state &s, const Loop &loop, pending &p, Team &team) {
    p.accesses.take_from(s.memory);
    p.is_bad = p.is_full = false;
    finder touch{s.map, p};
    loop.slice(p.iteration, touch);
    for (const reservation &r : p.accesses)
      s.marks.reserve(team, r.location, r.writes, p.iteration);
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_RESERVE_HPP
