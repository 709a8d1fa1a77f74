// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// map_locations(): finds which arrays overlap and numbers the locations of
/// all. The arrays are sorted by address; a sweep joins each to the cluster of
/// those before it if it begins before their end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_ARRAY_CLUSTERS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_ARRAY_CLUSTERS_HPP

#include "cudaopt/levelize/array.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cudaopt {

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

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_ARRAY_CLUSTERS_HPP
