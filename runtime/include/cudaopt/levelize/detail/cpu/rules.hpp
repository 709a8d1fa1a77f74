// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The decisions on which the exactness of the CPU's strategies rests. Tests
/// replace them by wrong ones, one at a time, and expect random loops to show
/// it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_RULES_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_RULES_HPP

#include "cudaopt/levelize/config.hpp"

namespace cudaopt::detail::cpu {

struct exact_rules {
  /// All accesses of one iteration to one location are merged into one:
  /// otherwise an iteration would wait for itself.
  static constexpr bool merges_accesses = true;
  /// How many accesses to a location must have ended before the one at
  /// \p position of its order: a write waits for all, a read for the last write
  /// and thereby for all before that, which number \p after_write.
  static index_t need(bool writes, index_t position, index_t after_write) {
    return writes ? position : after_write;
  }
  /// Returns true if some later access waits for the end of this one.
  static bool signals(bool writes, bool has_later_write, bool has_later) {
    return writes ? has_later : has_later_write;
  }
  /// A write's level is above those of the reads since the last write, too.
  static constexpr bool levels_respect_reads = true;
  /// Reads of what a later iteration writes get the value from before the loop.
  static constexpr bool keeps_old_values = true;
  /// Among the writers to one location the last one stores, not the first.
  static constexpr bool last_write_wins = true;
  /// reserve: an iteration commits only below the first one whose address may
  /// still change.
  static constexpr bool has_frontier = true;
  /// reserve: a writer commits only if no smaller iteration reads.
  static constexpr bool commits_respect_readers = true;
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_RULES_HPP
