// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The numbers of the locations of a loop (location_map). map_locations() finds
/// which arrays overlap: they are sorted by address, and a sweep joins each to
/// the cluster of those before it if it begins before their end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_LOCATION_MAP_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_LOCATION_MAP_HPP

#include "cudaopt/levelize/array.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cudaopt::detail {

/// Numbers the locations: the pieces of memory that iterations may meet at.
/// Arrays that do not overlap have a location for each element:
///
///   { [array, j] -> origin[array] + j }
///
/// Arrays that overlap form a cluster whose locations are g bytes each, g the
/// greatest common divisor of their element sizes and of the distances of their
/// beginnings: an element has span[array] locations of it. For example, floats
/// at byte 0 and doubles at byte 8 of the same memory have locations of four
/// bytes, of which a double has two; two elements share a byte if and only if
/// they share a location.
///
/// The entry max_arrays stands for all arrays that are not in arrays(): they
/// have no elements, so that each access to one is out of range.
struct location_map {
  index_t origin[max_arrays + 1] = {}; ///< The location of element 0.
  index_t size[max_arrays + 1] = {};   ///< In elements.
  unsigned span[max_arrays + 1] = {};  ///< Locations of an element.
  index_t locations = 0;               ///< The number of all locations.
  bool has_single_spans = true;        ///< All spans are 1.

  /// Returns true if array \p number has an element \p j.
  CUDAOPT_HOST_DEVICE bool contains(int number, index_t j) const {
    return std::uint64_t(j) < std::uint64_t(size[number]);
  }
  /// The first location of element \p j; the others follow it.
  CUDAOPT_HOST_DEVICE index_t first(int number, index_t j) const {
    return origin[number] + j * index_t(span[number]);
  }
};

/// The map of \p arrays, found from their addresses. Arrays that
/// check_arrays() accepts have one.
inline location_map map_locations(const extents &arrays) {
  location_map map;
  int by_begin[max_arrays];
  std::iota(by_begin, by_begin + arrays.count, 0);
  auto begin = [&](int a) {
    return reinterpret_cast<std::uintptr_t>(arrays.items[a].data);
  };
  auto end = [&](int a) {
    const extent &e = arrays.items[a];
    return begin(a) + std::uintptr_t(e.size) * e.element_bytes;
  };
  for (int k = 1; k < arrays.count; ++k) // At most max_arrays.
    for (int j = k; j > 0 && begin(by_begin[j]) < begin(by_begin[j - 1]); --j)
      std::swap(by_begin[j], by_begin[j - 1]);
  for (int first = 0, last; first < arrays.count; first = last) {
    // The cluster [first, last): arrays that overlap, if only by others between
    // them.
    const std::uintptr_t cluster = begin(by_begin[first]);
    std::uintptr_t stretch = end(by_begin[first]);
    std::uintptr_t grain = arrays.items[by_begin[first]].element_bytes;
    for (last = first + 1;
         last < arrays.count && begin(by_begin[last]) < stretch; ++last) {
      const int a = by_begin[last];
      stretch = std::max(stretch, end(a));
      grain = std::gcd(grain, std::uintptr_t(arrays.items[a].element_bytes));
      grain = std::gcd(grain, begin(a) - cluster);
    }
    for (int k = first; k < last; ++k) {
      const int a = by_begin[k];
      const extent &e = arrays.items[a];
      map.size[a] = e.size;
      map.span[a] =
          unsigned(e.element_bytes / std::max<std::uintptr_t>(grain, 1));
      map.origin[a] =
          map.locations +
          index_t((begin(a) - cluster) / std::max<std::uintptr_t>(grain, 1));
      map.has_single_spans &= map.span[a] == 1;
    }
    map.locations +=
        index_t((stretch - cluster) / std::max<std::uintptr_t>(grain, 1));
  }
  return map;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_LOCATION_MAP_HPP
