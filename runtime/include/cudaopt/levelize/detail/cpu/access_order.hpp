// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The accesses of a loop by location, those to one location in the order of
/// iterations: the basis of all inspections of the CPU but that of
/// strategy::reserve.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_ACCESS_ORDER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_ACCESS_ORDER_HPP

#include "cudaopt/levelize/detail/cpu/access_table.hpp"

#include <algorithm>
#include <numeric>

namespace cudaopt::detail::cpu {

/// Locations that are accessed at all are cells, from 0. The accesses of one
/// iteration to a cell are an entry; those of cell c are the entries
/// [cell_begin[c], cell_begin[c + 1]), in the order of iterations. A slot is an
/// access as access_table has it.
struct access_order {
  host_array<index_t> cell_begin;
  host_array<index_t> location;        ///< By cell.
  host_array<index_t> iteration, cell; ///< By entry.
  host_array<std::uint16_t> traits;    ///< By entry: those of its slots, or-ed.
  host_array<index_t> entry_of;        ///< By slot.
  host_array<index_t> slots;           ///< Sorted by location, then in order.

  index_t cells() const { return location.size(); }
  index_t entries() const { return iteration.size(); }
  bool writes(index_t entry) const {
    return access_traits::modifies(traits[entry]);
  }
  /// Returns true if two iterations access the cell and one modifies it.
  bool has_conflict(index_t c) const {
    const index_t begin = cell_begin[c], end = cell_begin[c + 1];
    if (end - begin < 2)
      return false;
    for (index_t k = begin; k < end; ++k)
      if (writes(k))
        return true;
    return false;
  }
  /// The most entries of one cell.
  index_t longest_chain() const {
    index_t longest = 0;
    for (index_t c = 0; c < cells(); ++c)
      longest = std::max(longest, cell_begin[c + 1] - cell_begin[c]);
    return longest;
  }
};

/// Sorts slots by location, by a radix sort; equal locations stay in order.
inline status sort_slots(host_scratch &memory, const access_table &table,
                         index_t locations, host_array<index_t> &from) {
  constexpr int digit_bits = 11;
  constexpr std::size_t digits = std::size_t(1) << digit_bits;
  host_array<index_t> to;
  if (from.allocate(memory, table.slots()) != status::ok ||
      to.allocate(memory, table.slots()) != status::ok)
    return status::out_of_memory;
  std::iota(from.begin(), from.end(), index_t(0));
  for (int shift = 0; shift < 63 && (locations - 1) >> shift > 0;
       shift += digit_bits) {
    auto digit = [&](index_t slot) {
      return std::size_t(table.location[slot] >> shift) & (digits - 1);
    };
    index_t place[digits + 1] = {};
    for (index_t slot : from)
      ++place[digit(slot) + 1];
    std::partial_sum(place, place + digits + 1, place);
    for (index_t slot : from)
      to[place[digit(slot)]++] = slot;
    from.swap(to);
  }
  return status::ok;
}

/// The iteration of each slot.
inline status find_iterations(host_scratch &memory, const access_table &table,
                              host_array<index_t> &result) {
  const status s = result.allocate(memory, table.slots());
  if (s == status::ok)
    for (index_t i = 0; i + 1 < table.begin.size(); ++i)
      std::fill(result.begin() + table.begin[i],
                result.begin() + table.begin[i + 1], i);
  return s;
}

/// Enters the sorted slots of \p order into its other tables, merging those of
/// one iteration. Returns false if there is no memory.
template <class Rules>
bool enter_slots(const access_table &table,
                 const host_array<index_t> &iteration, access_order &order) {
  for (index_t slot : order.slots) {
    const index_t location = table.location[slot];
    const bool is_new_cell =
        order.location.empty() || order.location.back() != location;
    if (is_new_cell && (!order.cell_begin.append(order.entries()) ||
                        !order.location.append(location)))
      return false;
    if (!is_new_cell && Rules::merges_accesses &&
        order.iteration.back() == iteration[slot])
      order.traits.back() |= table.traits[slot];
    else if (!order.iteration.append(iteration[slot]) ||
             !order.cell.append(order.cells() - 1) ||
             !order.traits.append(table.traits[slot]))
      return false;
    order.entry_of[slot] = order.entries() - 1;
  }
  return order.cell_begin.append(order.entries());
}

/// Makes the order of all accesses of \p table. O(accesses); one thread.
template <class Rules>
status order_accesses(host_scratch &memory, const access_table &table,
                      index_t locations, access_order &order) {
  host_array<index_t> iteration;
  const index_t slots = table.slots();
  const index_t few = std::min(slots / 4, locations) + 1;
  status s = sort_slots(memory, table, locations, order.slots);
  if (s == status::ok)
    s = find_iterations(memory, table, iteration);
  if (s == status::ok)
    s = order.entry_of.allocate(memory, slots);
  for (host_array<index_t> *cells : {&order.cell_begin, &order.location})
    if (s == status::ok)
      s = cells->reserve(memory, few);
  for (host_array<index_t> *entries : {&order.iteration, &order.cell})
    if (s == status::ok)
      s = entries->reserve(memory, slots);
  if (s == status::ok)
    s = order.traits.reserve(memory, slots);
  if (s != status::ok || !enter_slots<Rules>(table, iteration, order))
    return status::out_of_memory;
  for (host_array<index_t> *found :
       {&order.cell_begin, &order.location, &order.iteration, &order.cell})
    found->shrink();
  order.traits.shrink();
  return status::ok;
}

/// The transpose of an access_order: for each iteration its entries, ascending
/// by cell.
struct entries_by_iteration {
  host_array<index_t> begin, entry;

  status find(host_scratch &memory, const access_order &order,
              index_t iterations) {
    host_array<index_t> place;
    if (begin.allocate(memory, iterations + 1) != status::ok ||
        entry.allocate(memory, order.entries()) != status::ok ||
        place.allocate(memory, iterations) != status::ok)
      return status::out_of_memory;
    for (index_t i : order.iteration)
      ++begin[i + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::copy(begin.begin(), begin.end() - 1, place.begin());
    for (index_t k = 0; k < order.entries(); ++k)
      entry[place[order.iteration[k]]++] = k;
    return status::ok;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_ACCESS_ORDER_HPP
