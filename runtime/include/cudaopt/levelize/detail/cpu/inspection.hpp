// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The interface of strategies on the CPU (on_cpu), the state of one
/// inspection, and the memories and words that several strategies use.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_INSPECTION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_INSPECTION_HPP

#include "cudaopt/levelize/detail/cpu/access_order.hpp"
#include "cudaopt/levelize/detail/cpu/rules.hpp"
#include "cudaopt/levelize/detail/cpu/team.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/plan.hpp"

namespace cudaopt::detail::cpu {

/// One inspection of `for (i = 0; i < iterations; ++i)`.
struct inspection {
  index_t iterations;
  const extents &arrays;
  const location_map &map;
  const options &wanted;
  plan_info &info;
  host_scratch &memory; ///< The budget, also of the plan that is made.
  /// The loop's accesses, in order and by location: see find_order().
  access_table table = {};
  access_order order = {};
  bool has_order = false;
};

/// A strategy on the CPU, like detail::on_device:
///
///   struct state : plan_state { ... };
///   template <class Rules, class Loop>
///   static status inspect(inspection &, const Loop &,
///                         std::unique_ptr<plan_state> &result);
///   template <class Loop, class Team>
///   static status execute(state &, const Loop &, index_t iterations, Team &);
template <strategy S> struct on_cpu;

/// Fills the inspection's table and order, once for all strategies that are
/// tried. status::unsupported for loops whose slices read what they write;
/// status::index_out_of_range.
template <class Rules, class Loop>
status find_order(inspection &in, const Loop &loop) {
  if constexpr (is_self_indexing<Loop>::value) {
    return status::unsupported;
  } else {
    if (in.has_order)
      return status::ok;
    in.table = access_table();
    in.order = access_order();
    status s = record(in.memory, loop, in.iterations, in.map, in.table);
    in.info.bad_iteration = in.table.bad_iteration;
    if (s == status::ok)
      s = order_accesses<Rules>(in.memory, in.table, in.map.locations,
                                in.order);
    if (s != status::ok) { // The next strategy may need nothing of this.
      in.table = access_table();
      in.order = access_order();
      return s;
    }
    in.has_order = true;
    in.info.accesses = in.order.entries();
    in.info.locations = in.order.cells();
    in.info.longest_chain = in.order.longest_chain();
    return status::ok;
  }
}

/// Returns true if the elements of all arrays are words of 1, 2, 4 or 8 bytes
/// and have a location each: then their values may be kept outside of the
/// arrays.
inline bool has_word_locations(const inspection &in) {
  for (int a = 0; a < in.arrays.count; ++a) {
    const unsigned bytes = in.arrays.items[a].element_bytes;
    if (in.map.span[a] > 1 || bytes > 8 || (bytes & (bytes - 1)))
      return false;
  }
  return true;
}

/// A word of an array, whatever its type. Accesses are relaxed atomics.
struct word_place {
  void *data = nullptr;
  unsigned bytes = 0;

  std::uint64_t load() const {
    switch (bytes) {
    case 1:
      return load_relaxed(static_cast<const std::uint8_t *>(data));
    case 2:
      return load_relaxed(static_cast<const std::uint16_t *>(data));
    case 4:
      return load_relaxed(static_cast<const std::uint32_t *>(data));
    default:
      return load_relaxed(static_cast<const std::uint64_t *>(data));
    }
  }
  void store(std::uint64_t v) const {
    switch (bytes) {
    case 1:
      return store_relaxed(static_cast<std::uint8_t *>(data), std::uint8_t(v));
    case 2:
      return store_relaxed(static_cast<std::uint16_t *>(data),
                           std::uint16_t(v));
    case 4:
      return store_relaxed(static_cast<std::uint32_t *>(data),
                           std::uint32_t(v));
    default:
      return store_relaxed(static_cast<std::uint64_t *>(data), v);
    }
  }
};

/// The word at \p location; for loops with has_word_locations().
inline word_place place_of(const inspection &in, index_t location) {
  for (int a = 0; a < in.arrays.count; ++a) {
    const extent &e = in.arrays.items[a];
    const index_t j = location - in.map.origin[a];
    if (j >= 0 && j < e.size)
      return {static_cast<char *>(e.data) + j * index_t(e.element_bytes),
              e.element_bytes};
  }
  return {};
}

template <class T> std::uint64_t to_word(T v) {
  if constexpr (is_word<T>)
    return bit_cast<bits_of<T>>(v);
  else
    return 0; // No strategy that keeps words takes such a loop.
}
template <class T> T from_word(std::uint64_t v) {
  if constexpr (is_word<T>)
    return bit_cast<T>(bits_of<T>(v));
  else
    return T();
}

/// The memory that goes straight to the arrays, by relaxed atomics, since other
/// workers may look at the same elements. Tells the team of each access.
template <class Team> class shared_memory {
public:
  explicit shared_memory(Team &team) : workers_(team) {}
  CUDAOPT_CALLS_HOST
  template <class T>
  CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                  index_t j) {
    workers_.step();
    return load_relaxed(a.data + j);
  }
  CUDAOPT_CALLS_HOST
  template <class T>
  CUDAOPT_HOST_DEVICE void store(const array<T> &a, index_t j, T v) {
    workers_.step();
    store_relaxed(a.data + j, v);
  }
  CUDAOPT_CALLS_HOST
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op op, T v) {
    store(a, j, op(load(a, j), v));
  }

private:
  Team &workers_;
};

/// The status of the last run of \p team.
template <class Team> status ending_of(const Team &team) {
  return team.was_stalled() ? status::stalled : status::ok;
}

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_INSPECTION_HPP
