// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Adapters over the optional members term() and pivot() of a row_loop: with
/// them, what step() and finish() need besides x is loaded before the values of
/// x arrive; without them, these load it themselves.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_PARTS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_PARTS_HPP

#include "cudaopt/levelize/config.hpp"

#include <type_traits>
#include <utility>

namespace cudaopt::detail {

/// The value of term() or pivot() in loops that lack it.
struct nothing {};

/// load(loop, k) and step(): term k of \p Loop, with or without a term().
template <class Loop, class = void> struct terms_of {
  using type = nothing;
  CUDAOPT_HOST_DEVICE static type load(const Loop &, index_t) { return {}; }
  template <class T, class Sum>
  CUDAOPT_HOST_DEVICE static Sum step(const Loop &loop, index_t i, index_t k,
                                      T x, Sum sum, type) {
    return loop.step(i, k, x, sum);
  }
};
template <class Loop>
struct terms_of<
    Loop, std::void_t<decltype(std::declval<const Loop &>().term(index_t()))>> {
  using type = decltype(std::declval<const Loop &>().term(index_t()));
  CUDAOPT_HOST_DEVICE static type load(const Loop &loop, index_t k) {
    return loop.term(k);
  }
  template <class T, class Sum>
  CUDAOPT_HOST_DEVICE static Sum step(const Loop &loop, index_t i, index_t k,
                                      T x, Sum sum, type t) {
    return loop.step(i, k, x, sum, t);
  }
};

/// load(loop, i) and finish(): row i of \p Loop, with or without a pivot().
template <class Loop, class = void> struct pivots_of {
  using type = nothing;
  CUDAOPT_HOST_DEVICE static type load(const Loop &, index_t) { return {}; }
  template <class Sum>
  CUDAOPT_HOST_DEVICE static auto finish(const Loop &loop, index_t i, Sum sum,
                                         type) {
    return loop.finish(i, sum);
  }
};
template <class Loop>
struct pivots_of<Loop, std::void_t<decltype(std::declval<const Loop &>().pivot(
                           index_t()))>> {
  using type = decltype(std::declval<const Loop &>().pivot(index_t()));
  CUDAOPT_HOST_DEVICE static type load(const Loop &loop, index_t i) {
    return loop.pivot(i);
  }
  template <class Sum>
  CUDAOPT_HOST_DEVICE static auto finish(const Loop &loop, index_t i, Sum sum,
                                         type p) {
    return loop.finish(i, sum, p);
  }
};

/// True for loops that say so: terms whose source is a later row, or the row
/// itself, may be given T() instead of the old value of x, so that no old
/// values need be kept.
template <class Loop, class = void>
struct ignores_old_values : std::false_type {};
template <class Loop>
struct ignores_old_values<Loop, std::void_t<decltype(Loop::ignores_old_values)>>
    : std::bool_constant<Loop::ignores_old_values> {};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_PARTS_HPP
