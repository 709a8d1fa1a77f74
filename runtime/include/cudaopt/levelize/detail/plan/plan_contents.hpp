// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a plan holds: the tables of one strategy (plan_state), and what the
/// inspection was asked and found (plan_contents).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_PLAN_PLAN_CONTENTS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_PLAN_PLAN_CONTENTS_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/options.hpp"

#include <memory>

namespace cudaopt::detail {

/// What one strategy keeps between inspection and executions.
struct plan_state {
  virtual ~plan_state() = default;
  /// The size of the tables in bytes of device memory, or of host memory for
  /// the CPU backend.
  virtual std::size_t bytes() const = 0;
  /// The word of the device that the watchdog sets and check() resets; null if
  /// no thread of the strategy ever waits for another.
  virtual std::uint32_t *stalled_word() const { return nullptr; }
};

struct plan_contents {
  plan_info info;
  options wanted;               ///< Completed by the environment.
  extents arrays;               ///< The conflict arrays of the inspected loop.
  stream last_stream = nullptr; ///< The stream that was used last.
  int device = -1; ///< The inspection's device; negative: the host.
  /// The decision that load() brought; automatic if there is none.
  strategy remembered = strategy::automatic;
  backend remembered_where = backend::automatic;
  index_t remembered_iterations = 0;
  std::unique_ptr<plan_state> state;
};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_PLAN_PLAN_CONTENTS_HPP
