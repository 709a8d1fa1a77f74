// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Conflict arrays: those through which iterations may depend on each other.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ARRAY_HPP
#define CUDAOPT_LEVELIZE_ARRAY_HPP

#include "cudaopt/levelize/config.hpp"

#include <type_traits>

namespace cudaopt {

constexpr int max_arrays = 8;

/// \p size elements at \p data. \p number tells the arrays of one loop apart:
/// 0 for the first of its arrays(), and so on.
template <class T> struct array {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;

  T *data = nullptr;
  index_t size = 0;
  int number = 0;
};

/// What of an array does not depend on its type.
struct extent {
  void *data = nullptr;
  index_t size = 0; ///< In elements.
  unsigned element_bytes = 0;
};

/// The arrays of a loop, by number.
struct extents {
  extent items[max_arrays] = {};
  int count = 0;
  unsigned largest_element = 0; ///< In bytes.
};

/// What a loop's arrays() returns: `return cudaopt::extents_of(a, b);`
template <class... T> extents extents_of(const array<T> &...arrays) {
  static_assert(sizeof...(T) <= max_arrays);
  extents result;
  auto add = [&](void *data, index_t size, unsigned bytes, int number) {
    result.items[number] = {data, size, bytes};
    if (number >= result.count)
      result.count = number + 1;
    if (bytes > result.largest_element)
      result.largest_element = bytes;
  };
  (add(const_cast<std::remove_const_t<T> *>(arrays.data), arrays.size,
       unsigned(sizeof(T)), arrays.number),
   ...);
  return result;
}

/// Numbers the places of memory that iterations may meet at. Arrays that do not
/// overlap have a location for each element:
///
///   { [array, j] -> origin[array] + j }
///
/// Arrays that overlap form a cluster whose locations are g bytes each, g the
/// greatest common divisor of their element sizes and of the distances of their
/// beginnings: an element has span[array] locations of it.
struct location_map {
  index_t origin[max_arrays] = {};
  index_t size[max_arrays] = {}; ///< In elements; what is outside is refused.
  unsigned span[max_arrays] = {};
  index_t locations = 0;
  bool has_single_spans = true; ///< All spans are 1.

  CUDAOPT_HOST_DEVICE bool contains(int number, index_t j) const {
    return std::uint64_t(j) < std::uint64_t(size[number]);
  }
  CUDAOPT_HOST_DEVICE index_t first(int number, index_t j) const {
    return origin[number] + j * index_t(span[number]);
  }
};

/// The map of \p arrays, found from their addresses.
location_map map_locations(const extents &arrays);

} // namespace cudaopt

#include "cudaopt/levelize/array_clusters.hpp"

#endif // CUDAOPT_LEVELIZE_ARRAY_HPP
