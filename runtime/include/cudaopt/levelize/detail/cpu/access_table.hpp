// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The accesses of a loop, in the order in which the sequential loop makes
/// them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_ACCESS_TABLE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_ACCESS_TABLE_HPP

#include "cudaopt/levelize/detail/cpu/host_memory.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/support/memory.hpp"
#include "cudaopt/levelize/loop.hpp"

namespace cudaopt::detail::cpu {

/// What an access is, in 16 bits: its kind, of merged ones several kinds; the
/// operation of an update; the number of the array.
struct access_traits {
  static constexpr std::uint16_t reads = 1, writes = 2, updates = 4;
  /// Updates whose bits depend on their order.
  static constexpr std::uint16_t is_ordered = 8;
  static constexpr int operation_shift = 4, array_shift = 8;
  static constexpr std::uint16_t kinds = reads | writes | updates;

  static bool modifies(std::uint16_t traits) {
    return traits & (writes | updates);
  }
};

/// The accesses of all iterations. Each has a slot; an access to an element of
/// span s has s consecutive ones, one for each of its locations.
struct access_table {
  host_array<index_t> begin; ///< Slots of iteration i: [begin[i], begin[i+1]).
  host_array<index_t> location;
  host_array<std::uint16_t> traits;
  std::uint16_t all_traits = 0; ///< Those of all slots, or-ed.
  index_t bad_iteration = -1;   ///< The first with an index out of range.

  index_t slots() const { return location.size(); }
  /// Returns true if no access is of another kind.
  bool has_only(std::uint16_t kind) const {
    return !(all_traits & access_traits::kinds & ~kind);
  }
};

/// The touch that fills a table.
class recorder {
public:
  recorder(access_table &table, const location_map &map)
      : table_(table), map_(map) {}

  CUDAOPT_CALLS_HOST
  template <class T>
  CUDAOPT_HOST_DEVICE void read(const array<T> &a, index_t j) {
    add(a.number(), j, access_traits::reads);
  }
  CUDAOPT_CALLS_HOST
  template <class T>
  CUDAOPT_HOST_DEVICE void write(const array<T> &a, index_t j) {
    add(a.number(), j, access_traits::writes);
  }
  CUDAOPT_CALLS_HOST
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op) {
    unsigned traits =
        access_traits::updates | Op::id << access_traits::operation_shift;
    if (!Op::template is_exact_in_any_order<T> || !is_word<T>)
      traits |= access_traits::is_ordered;
    add(a.number(), j, traits);
  }
  bool is_bad() const { return is_bad_; }
  /// Returns true if there was no memory for an access.
  bool is_full() const { return is_full_; }

private:
  void add(int number, index_t j, unsigned traits) {
    if (!map_.contains(number, j)) {
      is_bad_ = true;
      return;
    }
    table_.all_traits |= std::uint16_t(traits);
    traits |= unsigned(number) << access_traits::array_shift;
    const index_t first = map_.first(number, j);
    for (unsigned k = 0; k < map_.span[number] && !is_full_; ++k)
      is_full_ = !table_.location.append(first + k) ||
                 !table_.traits.append(std::uint16_t(traits));
  }

  access_table &table_;
  const location_map &map_;
  bool is_bad_ = false, is_full_ = false;
};

/// Fills \p table by running all slices in order. status::index_out_of_range at
/// the first index that is.
template <class Loop>
status record(host_scratch &memory, const Loop &loop, index_t iterations,
              const location_map &map, access_table &table) {
  recorder touch(table, map);
  if (std::size_t(iterations) >= memory.left() / sizeof(index_t))
    return status::out_of_memory;
  // Two accesses an iteration are usual; a small budget is not spent at once.
  const auto affordable = index_t(memory.left() / 32);
  const index_t expected = std::min(2 * iterations, affordable);
  if (table.begin.reserve(memory, iterations + 1) != status::ok ||
      table.location.reserve(memory, expected) != status::ok ||
      table.traits.reserve(memory, expected) != status::ok ||
      !table.begin.append(0))
    return status::out_of_memory;
  for (index_t i = 0; i < iterations; ++i) {
    loop.slice(i, touch);
    if (touch.is_bad()) {
      table.bad_iteration = i;
      return status::index_out_of_range;
    }
    if (touch.is_full() || !table.begin.append(table.slots()))
      return status::out_of_memory;
  }
  table.location.shrink();
  table.traits.shrink();
  return status::ok;
}

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_ACCESS_TABLE_HPP
