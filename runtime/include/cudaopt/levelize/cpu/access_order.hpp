// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// For each location the accesses to it, in the order of iterations.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_ACCESS_ORDER_HPP
#define CUDAOPT_LEVELIZE_CPU_ACCESS_ORDER_HPP

#include "cudaopt/levelize/cpu/access_table.hpp"

#include <algorithm>
#include <numeric>

namespace cudaopt::detail::cpu {

/// Entries [cell_begin[c], cell_begin[c + 1]) are those of the c-th location
/// that is accessed at all: one for each iteration that does.
struct access_order {
  std::vector<index_t> cell_begin;
  std::vector<index_t> location;        ///< Of a cell.
  std::vector<index_t> iteration, cell; ///< Of an entry.
  std::vector<std::uint16_t> traits;    ///< Of an entry, merged.
  std::vector<index_t> entry_of;        ///< Of a slot.
  std::vector<index_t> slots;           ///< By location, then in order.

  index_t cells() const { return index_t(location.size()); }
  index_t entries() const { return index_t(iteration.size()); }
  bool writes(index_t entry) const {
    return access_traits::modifies(traits[std::size_t(entry)]);
  }
  /// Whether two iterations meet at the cell and one modifies it.
  bool has_conflict(index_t c) const {
    const index_t begin = cell_begin[c], end = cell_begin[c + 1];
    if (end - begin < 2)
      return false;
    for (index_t k = begin; k < end; ++k)
      if (writes(k))
        return true;
    return false;
  }
  index_t longest_chain() const {
    index_t longest = 0;
    for (index_t c = 0; c < cells(); ++c)
      longest = std::max(longest, cell_begin[c + 1] - cell_begin[c]);
    return longest;
  }
};

/// Slots sorted by location; equal locations stay in order.
inline std::vector<index_t> sorted_slots(const access_table &table,
                                         index_t locations) {
  constexpr int digit_bits = 11;
  std::vector<index_t> from(std::size_t(table.slots())), to(from.size());
  std::iota(from.begin(), from.end(), index_t(0));
  for (int shift = 0; shift < 63 && (locations - 1) >> shift > 0;
       shift += digit_bits) {
    auto digit = [&](index_t slot) {
      return std::size_t(table.location[slot] >> shift) &
             ((1u << digit_bits) - 1);
    };
    std::vector<index_t> place((1u << digit_bits) + 1);
    for (index_t slot : from)
      ++place[digit(slot) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (index_t slot : from)
      to[place[digit(slot)]++] = slot;
    from.swap(to);
  }
  return from;
}

/// The iteration of each slot.
inline std::vector<index_t> iterations_of(const access_table &table) {
  std::vector<index_t> result(std::size_t(table.slots()));
  for (std::size_t i = 0; i + 1 < table.begin.size(); ++i)
    std::fill(result.begin() + table.begin[i],
              result.begin() + table.begin[i + 1], index_t(i));
  return result;
}

template <class Rules>
access_order order_accesses(const access_table &table, index_t locations) {
  access_order order;
  order.slots = sorted_slots(table, locations);
  const std::vector<index_t> iteration = iterations_of(table);
  order.entry_of.resize(order.slots.size());
  for (index_t slot : order.slots) {
    const index_t location = table.location[slot];
    const bool is_new_cell =
        order.location.empty() || order.location.back() != location;
    if (is_new_cell) {
      order.cell_begin.push_back(order.entries());
      order.location.push_back(location);
    }
    if (!is_new_cell && Rules::merges_accesses &&
        order.iteration.back() == iteration[slot]) {
      order.traits.back() |= table.traits[slot];
    } else {
      order.iteration.push_back(iteration[slot]);
      order.cell.push_back(order.cells() - 1);
      order.traits.push_back(table.traits[slot]);
    }
    order.entry_of[slot] = order.entries() - 1;
  }
  order.cell_begin.push_back(order.entries());
  return order;
}

/// For each iteration the entries of \p order, ascending by cell.
struct entries_by_iteration {
  std::vector<index_t> begin, entry;

  entries_by_iteration(const access_order &order, index_t iterations)
      : begin(std::size_t(iterations) + 1), entry(order.iteration.size()) {
    for (index_t i : order.iteration)
      ++begin[i + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<index_t> place(begin.begin(), begin.end() - 1);
    for (index_t k = 0; k < order.entries(); ++k)
      entry[place[order.iteration[k]]++] = k;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_ACCESS_ORDER_HPP
