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

namespace detail {

/// By which the arrays of one loop are told apart: the place in its arrays().
class array_number {
public:
  constexpr array_number() = default;
  /// A number that no loop can have is none.
  CUDAOPT_HOST_DEVICE explicit constexpr array_number(int number)
      : Number(number >= 0 && number < max_arrays ? number : unlisted) {}

  /// From 0; max_arrays if the array is not in arrays().
  CUDAOPT_HOST_DEVICE constexpr int number() const { return Number; }
  /// For the runtime alone.
  void set_number(int number) { Number = number; }

private:
  static constexpr int unlisted = max_arrays;
  int Number = unlisted;
};

} // namespace detail

/// \p size elements at \p data. The runtime numbers the arrays of a loop, if
/// they are its members, in the order of its arrays(). Where a loop makes them
/// anew in each call, the third argument is that number.
template <class T> struct array : detail::array_number {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;

  T *data = nullptr;
  index_t size = 0;

  constexpr array() = default;
  CUDAOPT_HOST_DEVICE constexpr array(T *begin, index_t elements)
      : data(begin), size(elements) {}
  CUDAOPT_HOST_DEVICE constexpr array(T *begin, index_t elements, int number)
      : detail::array_number(number), data(begin), size(elements) {}
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
  /// See levelize/numbers.hpp.
  const detail::array_number *members[max_arrays] = {};
  bool has_numbers = true;
};

/// What a loop's arrays() returns: `return cudaopt::extents_of(a, b);`
template <class... T> extents extents_of(const array<T> &...arrays) {
  static_assert(sizeof...(T) <= max_arrays);
  extents result;
  auto add = [&](void *data, index_t size, unsigned bytes,
                 const detail::array_number &array) {
    for (int a = 0; a < result.count; ++a)
      if (result.members[a] == &array)
        return; // Named twice.
    result.members[result.count] = &array;
    result.has_numbers &= array.number() == result.count;
    result.items[result.count++] = {data, size, bytes};
    if (bytes > result.largest_element)
      result.largest_element = bytes;
  };
  (add(const_cast<std::remove_const_t<T> *>(arrays.data), arrays.size,
       unsigned(sizeof(T)), arrays),
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
///
/// The last number is that of all arrays which are not in arrays(): they have
/// no elements.
struct location_map {
  index_t origin[max_arrays + 1] = {};
  index_t size[max_arrays + 1] = {}; ///< In elements; what is outside is
                                     ///< refused.
  unsigned span[max_arrays + 1] = {};
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
