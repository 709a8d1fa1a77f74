// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether memory that a rewritten loop writes overlaps anything else that the
/// loop uses.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_MEMORY_OVERLAP_HPP
#define CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_MEMORY_OVERLAP_HPP

#include "cudaopt/levelize/detail/support/arguments.hpp"
#include "cudaopt/levelize/loop_uses.hpp"

namespace cudaopt::detail {

/// Returns true if two extents have a byte in common.
inline bool overlap(const void *a, std::size_t a_bytes, const void *b,
                    std::size_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + b_bytes && y < x + a_bytes && a_bytes && b_bytes;
}

/// Returns true if nothing that is written overlaps something else that is
/// used: then the loop's accesses through different pointers are independent,
/// as its struct says. Conflict arrays may overlap each other, unless the loop
/// was proved to be independent on the assumption that they do not. Returns
/// false for sizes that cannot be.
inline bool are_disjoint(const extents &arrays, bool is_independent,
                         std::initializer_list<memory_use> uses) {
  if (check_arrays(arrays) != status::ok)
    return false;
  for (const memory_use &one : uses)
    if (!is_possible(one))
      return false;
  auto bytes = [](const extent &e) {
    return e.size > 0 ? std::size_t(e.size) * e.element_bytes : 0;
  };
  for (int a = 0; a < arrays.count; ++a) {
    const extent &one = arrays.items[a];
    for (const memory_use &other : uses)
      if (overlap(one.data, bytes(one), other.data, other.bytes))
        return false;
    for (int b = a + 1; is_independent && b < arrays.count; ++b)
      if (overlap(one.data, bytes(one), arrays.items[b].data,
                  bytes(arrays.items[b])))
        return false;
  }
  for (const memory_use &one : uses)
    for (const memory_use &other : uses)
      if (one.is_written && &one != &other &&
          overlap(one.data, one.bytes, other.data, other.bytes))
        return false;
  return true;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_MEMORY_OVERLAP_HPP
