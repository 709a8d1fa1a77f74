// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The interface of strategies on the device (on_device), and the state of one
/// inspection, which all strategies that are tried share.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_INSPECTION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_INSPECTION_HPP

#include "cudaopt/levelize/detail/inspect/access_summary.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/strategies/watchdog.hpp"
#include "cudaopt/levelize/detail/support/buffer.hpp"
#include "cudaopt/levelize/plan.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// One inspection of `for (i = 0; i < iterations; ++i)`.
struct inspection {
  index_t iterations;
  const location_map &map;
  const options &wanted;
  scratch &memory;
  plan_info &info;
  /// The summary of all slices, if is_summarized.
  access_summary summary = {};
  bool is_summarized = false;
  /// The updates of all slices, if is_examined; then no index is out of range.
  update_facts updates = {};
  bool is_examined = false;
};

/// Returns true if each element is a word of 1, 2, 4 or 8 bytes and has a
/// location of its own: then its values may be kept outside of the array.
inline bool has_disjoint_words(const extents &arrays, const location_map &map) {
  for (int a = 0; a < arrays.count; ++a) {
    const unsigned bytes = arrays.items[a].element_bytes;
    if (bytes > 8 || (bytes & (bytes - 1)) != 0)
      return false;
  }
  return map.has_single_spans;
}

/// A strategy on the device. Each specialisation has
///
///   struct state : plan_state { ... };
///   /// Whether it exists for the type of loop.
///   template <class Loop> static constexpr bool applies;
///   /// Reads what the loop's slices read; modifies nothing but scratch.
///   /// status::unsupported if what it saw has not the property it needs.
///   template <class Loop>
///   static status inspect(inspection &, const Loop &,
///                         std::unique_ptr<plan_state> &result);
///   /// Asynchronous on \p s, and may be captured into a graph; only those
///   /// strategies whose description says so are synchronous.
///   template <class Loop>
///   static status execute(state &, const Loop &, index_t iterations,
///                         stream s);
template <strategy S> struct on_device;

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_INSPECTION_HPP
