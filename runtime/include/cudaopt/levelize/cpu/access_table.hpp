// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The accesses of a loop, in the order in which the sequential loop makes
/// them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_ACCESS_TABLE_HPP
#define CUDAOPT_LEVELIZE_CPU_ACCESS_TABLE_HPP

#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/memory.hpp"
#include "cudaopt/levelize/status.hpp"

#include <vector>

namespace cudaopt::detail::cpu {

/// What an access is. Merged ones have several of the kinds.
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

/// An element of span s has s consecutive slots, one for each of its locations.
struct access_table {
  std::vector<index_t> begin; ///< Slots of iteration i: [begin[i], begin[i+1]).
  std::vector<index_t> location;
  std::vector<std::uint16_t> traits;
  std::uint16_t all_traits = 0; ///< Of all slots together.
  index_t bad_iteration = -1;

  index_t slots() const { return index_t(location.size()); }
  bool has_only(std::uint16_t kind) const {
    return !(all_traits & access_traits::kinds & ~kind);
  }
};

/// The touch that fills a table.
class recorder {
public:
  recorder(access_table &table, const location_map &map)
      : Table(table), Map(map) {}

  CUDAOPT_CALLS_HOST
  template <class T>
  CUDAOPT_HOST_DEVICE void read(const array<T> &a, index_t j) {
    add(a.number, j, access_traits::reads);
  }
  CUDAOPT_CALLS_HOST
  template <class T>
  CUDAOPT_HOST_DEVICE void write(const array<T> &a, index_t j) {
    add(a.number, j, access_traits::writes);
  }
  CUDAOPT_CALLS_HOST
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op) {
    unsigned traits =
        access_traits::updates | Op::id << access_traits::operation_shift;
    if (!Op::template is_exact_in_any_order<T> || !is_word<T>)
      traits |= access_traits::is_ordered;
    add(a.number, j, traits);
  }
  bool is_bad() const { return IsBad; }

private:
  void add(int number, index_t j, unsigned traits) {
    if (!Map.contains(number, j)) {
      IsBad = true;
      return;
    }
    Table.all_traits |= std::uint16_t(traits);
    traits |= unsigned(number) << access_traits::array_shift;
    const index_t first = Map.first(number, j);
    for (unsigned k = 0; k < Map.span[number]; ++k) {
      Table.location.push_back(first + k);
      Table.traits.push_back(std::uint16_t(traits));
    }
  }

  access_table &Table;
  const location_map &Map;
  bool IsBad = false;
};

template <class Loop>
status record(const Loop &loop, index_t iterations, const location_map &map,
              access_table &table) {
  recorder touch(table, map);
  table.begin.reserve(std::size_t(iterations) + 1);
  table.begin.push_back(0);
  for (index_t i = 0; i < iterations; ++i) {
    loop.slice(i, touch);
    if (touch.is_bad()) {
      table.bad_iteration = i;
      return status::index_out_of_range;
    }
    table.begin.push_back(table.slots());
  }
  return status::ok;
}

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_ACCESS_TABLE_HPP
