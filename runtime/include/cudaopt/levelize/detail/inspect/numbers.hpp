// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Numbers the arrays of a loop by their positions in its arrays(), so that
/// programs need not write these numbers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_NUMBERS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_NUMBERS_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/status.hpp"

#include <type_traits>

namespace cudaopt::detail {

/// Sets the numbers of those arrays that are members of \p loop.
template <class Loop> void number_members(Loop &loop) {
  const extents arrays = loop.arrays();
  const auto begin = reinterpret_cast<std::uintptr_t>(&loop);
  for (int a = 0; a < arrays.count && a < max_arrays; ++a) {
    const auto at = reinterpret_cast<std::uintptr_t>(arrays.members[a]);
    if (at >= begin && at < begin + sizeof(Loop))
      const_cast<array_number *>(arrays.members[a])->set_number(a);
  }
}

/// Returns \p call(loop, arrays), a status. If the arrays do not have the
/// numbers of their positions, \p call gets a copy of \p loop whose members do.
/// status::invalid_argument if the loop cannot be copied, or its arrays are no
/// members and have wrong numbers.
template <class Loop, class Call>
status with_numbers(const Loop &loop, Call &&call) {
  const extents arrays = loop.arrays();
  if (arrays.has_numbers)
    return call(loop, arrays);
  if constexpr (std::is_copy_constructible_v<Loop>) {
    Loop numbered(loop);
    number_members(numbered);
    const extents again = static_cast<const Loop &>(numbered).arrays();
    if (again.has_numbers)
      return call(static_cast<const Loop &>(numbered), again);
  }
  return status::invalid_argument;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_NUMBERS_HPP
