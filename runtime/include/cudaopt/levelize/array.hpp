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
/// Arrays of one loop may overlap each other in any way, also with elements of
/// different types.
///
/// \code{.cpp}
/// cudaopt::array<float> all_of(std::vector<float> &v) {
///   return {v.data(), cudaopt::index_t(v.size())};
/// }
/// \endcode
///
/// \tparam T The type of the elements, trivially copyable, and const if the
///     loop only reads them. Strategies that keep values outside of the array
///     need elements of 1, 2, 4 or 8 bytes; others are tried for other types.
///
/// inspect(), execute(), run() and compare() number the arrays that are members
/// of a loop by their position in its arrays(). A loop that makes its arrays
/// anew in each call gives that number, from 0, as the third argument.
///
/// A negative size, or elements at a null pointer, make inspections return
/// status::invalid_argument. Whether the memory is as large as \p size says is
/// not checked.
template <class T> struct array : detail::array_number {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;

  T *data = nullptr;
  index_t size = 0;

  /// Makes an array without elements.
  constexpr array() = default;
  /// Makes an array that the runtime numbers.
  /// \param begin Element 0; may be null if there are no elements.
  /// \param elements The number of elements.
  CUDAOPT_HOST_DEVICE constexpr array(T *begin, index_t elements)
      : data(begin), size(elements) {}
  /// The same for an array with the position \p number in arrays(). An array
  /// whose number is negative or not below max_arrays is in no loop.
  CUDAOPT_HOST_DEVICE constexpr array(T *begin, index_t elements, int number)
      : detail::array_number(number), data(begin), size(elements) {}
};

/// An array without its type.
struct extent {
  void *data = nullptr;
  index_t size = 0; ///< In elements.
  unsigned element_bytes = 0;
};

/// The conflict arrays of a loop, by number. Made by extents_of(), read by the
/// runtime.
struct extents {
  extent items[max_arrays] = {};
  int count = 0;
  unsigned largest_element = 0; ///< In bytes.
  /// The arrays themselves, which number_members() numbers.
  const detail::array_number *members[max_arrays] = {};
  bool has_numbers = true; ///< Each has the number of its position.
};

/// Lists the conflict arrays of a loop, for its arrays() to return.
///
/// \code{.cpp}
/// struct copy_loop {
///   cudaopt::array<const int> from;
///   cudaopt::array<int> to;
///
///   cudaopt::extents arrays() const { return cudaopt::extents_of(from, to); }
/// };
/// \endcode
///
/// \param arrays The arrays, at most max_arrays; they may overlap. One that is
///     named twice is listed once. The result points to them, so that they are
///     members of the loop, or have numbers.
///
/// There are no errors: inspections refuse arrays that cannot be.
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
