// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Conflict arrays: those through which the iterations of a loop may depend on
/// each other. Slices and bodies access them only through the `touch` and
/// `memory` that they are given, so that a strategy sees every access; all
/// other memory is a plain pointer.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ARRAY_HPP
#define CUDAOPT_LEVELIZE_ARRAY_HPP

#include "cudaopt/levelize/config.hpp"

#include <type_traits>

namespace cudaopt {

/// The most conflict arrays that a loop may have.
constexpr int max_arrays = 8;

namespace detail {

/// The number by which the arrays of one loop are told apart: the position in
/// its arrays().
class array_number {
public:
  constexpr array_number() = default;
  /// A \p number that no loop can have leaves the array without one.
  CUDAOPT_HOST_DEVICE explicit constexpr array_number(int number)
      : number_(number >= 0 && number < max_arrays ? number : unlisted) {}

  /// From 0; max_arrays if the array is not in arrays().
  CUDAOPT_HOST_DEVICE constexpr int number() const { return number_; }
  /// For the runtime alone.
  void set_number(int number) { number_ = number; }

private:
  static constexpr int unlisted = max_arrays;
  int number_ = unlisted;
};

} // namespace detail

/// A conflict array: \p size elements at \p data, which the array does not own.
/// \p T is trivially copyable; for strategies that keep values aside it also
/// has 1, 2, 4 or 8 bytes. Arrays of one loop may overlap.
///
/// inspect(), execute() and run() number the arrays that are members of a loop
/// in the order of its arrays(). Where a loop makes them anew in each call, or
/// is given to compare(), the third argument is that number, from 0.
///
/// A negative size, or elements at a null pointer, are refused by inspections;
/// whether the memory is as large as it is said to be is not seen.
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

/// An array without its type.
struct extent {
  void *data = nullptr;
  index_t size = 0; ///< In elements.
  unsigned element_bytes = 0;
};

/// The conflict arrays of a loop, by number. Made by extents_of().
struct extents {
  extent items[max_arrays] = {};
  int count = 0;
  unsigned largest_element = 0; ///< In bytes.
  /// The arrays themselves, which number_members() numbers.
  const detail::array_number *members[max_arrays] = {};
  bool has_numbers = true; ///< Each has the number of its position.
};

/// What a loop's arrays() returns: `return cudaopt::extents_of(a, b);`. An
/// array that is named twice counts once. At most max_arrays.
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

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_ARRAY_HPP
