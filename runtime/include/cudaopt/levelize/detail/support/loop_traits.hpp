// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a loop says of itself by its members, as traits of its type.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LOOP_TRAITS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LOOP_TRAITS_HPP

#include "cudaopt/levelize/config.hpp"

#include <type_traits>

namespace cudaopt {

template <class Loop, class T> struct row_loop;

namespace detail {

template <class Loop, class = void> struct is_row_loop : std::false_type {};
template <class Loop>
struct is_row_loop<
    Loop, std::void_t<typename Loop::value_type, decltype(&Loop::source)>>
    : std::is_base_of<row_loop<Loop, typename Loop::value_type>, Loop> {};

template <class Loop, class = void>
struct is_self_indexing : std::false_type {};
template <class Loop>
struct is_self_indexing<Loop, std::void_t<decltype(Loop::is_self_indexing)>>
    : std::bool_constant<Loop::is_self_indexing> {};

template <class Loop, class = void> struct is_independent : std::false_type {};
template <class Loop>
struct is_independent<Loop, std::void_t<decltype(Loop::is_independent)>>
    : std::bool_constant<Loop::is_independent> {};

/// True for loops that say that their source adds products: a compiler that
/// contracts may give the loop other bits than the operations of its source.
template <class Loop, class = void>
struct has_products_in_sums : std::false_type {};
template <class Loop>
struct has_products_in_sums<Loop,
                            std::void_t<decltype(Loop::has_products_in_sums)>>
    : std::bool_constant<Loop::has_products_in_sums> {};

} // namespace detail
} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LOOP_TRAITS_HPP
