// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Refuses arguments that cannot be (status::invalid_argument), before anything
/// is done.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ARGUMENTS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ARGUMENTS_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/options.hpp"

namespace cudaopt::detail {

/// The most bytes of all arrays together: below that, sums of bytes and of
/// locations do not overflow.
constexpr std::uint64_t most_array_bytes = std::uint64_t(1) << 62;
/// The most iterations, for the same reason.
constexpr index_t most_iterations = index_t(1) << 62;

/// Returns true if an array can be where it is said to be, and takes its bytes
/// from \p left.
inline bool is_possible(const extent &e, std::uint64_t &left) {
  if (e.size == 0)
    return true;
  if (e.size < 0 || e.element_bytes == 0 || !e.data)
    return false;
  const std::uint64_t most = left / e.element_bytes;
  if (std::uint64_t(e.size) > most)
    return false;
  const std::uint64_t bytes = std::uint64_t(e.size) * e.element_bytes;
  left -= bytes;
  return reinterpret_cast<std::uintptr_t>(e.data) <= UINTPTR_MAX - bytes;
}

/// status::ok if the arrays of a loop can be where they are said to be.
inline status check_arrays(const extents &arrays) {
  if (arrays.count < 0 || arrays.count > max_arrays)
    return status::invalid_argument;
  std::uint64_t left = most_array_bytes;
  for (int a = 0; a < arrays.count; ++a)
    if (!is_possible(arrays.items[a], left))
      return status::invalid_argument;
  return status::ok;
}

/// status::ok if each option has a value that it may have.
inline status check_options(const options &o) {
  const double auxiliary = o.paper.auxiliary;
  const bool is_possible =
      int(o.force) < num_strategies && int(o.where) <= int(backend::cpu) &&
      int(o.when) <= int(reuse::checked) && o.expected_runs >= 0 &&
      o.window >= 0 && o.window <= most_iterations && o.threads >= 0 &&
      auxiliary >= 1e-9; // False for a NaN, too.
  return is_possible ? status::ok : status::invalid_argument;
}

/// Returns true if both have the same arrays: addresses, sizes and element
/// sizes.
inline bool are_same(const extents &a, const extents &b) {
  bool same = a.count == b.count;
  for (int k = 0; same && k < a.count; ++k)
    same = a.items[k].data == b.items[k].data &&
           a.items[k].size == b.items[k].size &&
           a.items[k].element_bytes == b.items[k].element_bytes;
  return same;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ARGUMENTS_HPP
