// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Summaries of the accesses of a loop: how many there are, of which kinds, and
/// of updates which operations.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_SUMMARY_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_SUMMARY_HPP

#include "cudaopt/levelize/loop.hpp"

namespace cudaopt::detail {

/// The bits of access_summary::kinds that say "some array is accessed so".
constexpr std::uint32_t kind_bits(access_kind kind) {
  return 0x11111111u << unsigned(kind);
}

/// The most accesses of an iteration that a thread looks at before a strategy
/// is chosen: there are iterations with millions.
constexpr unsigned most_looked_at = 64;

/// What all slices of a loop do together.
struct access_summary {
  index_t reads = 0;
  index_t stores = 0;       ///< Writes and updates.
  index_t most = 0;         ///< The most accesses of one iteration.
  index_t each = -1;        ///< Accesses of every iteration; -1 if they differ.
  index_t stores_each = -1; ///< The same for stores.
  std::uint32_t kinds = 0;  ///< Bit 4 * array number + access_kind.
  std::uint32_t operations = 0; ///< Bit Op::id.

  index_t accesses() const { return reads + stores; }
  /// Returns true if some array is accessed so; or the given array.
  bool has(access_kind kind) const { return kinds & kind_bits(kind); }
  bool has(int array, access_kind kind) const {
    return kinds >> (4 * array + int(kind)) & 1;
  }
};

/// What is to be known of a loop that only updates, gathered by all slices from
/// zeros.
struct update_facts {
  unsigned long long operations; ///< Bit 8 * array + Op::id.
  unsigned long long accesses;
  std::uint32_t types;   ///< The number_type of array a in bits [4a, 4a + 4).
  std::uint32_t others;  ///< Not 0: there are other accesses than updates.
  std::uint32_t inexact; ///< Not 0: some result depends on the order.
  std::uint32_t unused;
};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_SUMMARY_HPP
