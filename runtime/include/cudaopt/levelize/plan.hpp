// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What an inspection found, kept for executions.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_PLAN_HPP
#define CUDAOPT_LEVELIZE_PLAN_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/options.hpp"

#include <memory>

namespace cudaopt {

namespace detail {

/// What one strategy keeps between inspection and executions.
struct plan_state {
  virtual ~plan_state() = default;
  /// Of device memory, or of host memory for the CPU backend.
  virtual std::size_t bytes() const = 0;
  /// The word of the device that the watchdog sets, and check() resets; null if
  /// nothing waits.
  virtual std::uint32_t *stalled_word() const { return nullptr; }
};

} // namespace detail

/// Belongs to one loop, one stream and one device at a time; not safe for
/// threads. A child of fork() may use it on the CPU.
class plan {
public:
  plan() = default;
  plan(plan &&) = default;
  plan &operator=(plan &&) = default;

  const plan_info &info() const { return Info; }
  /// The next run() inspects again.
  void invalidate() { State.reset(); }
  bool is_valid() const { return State != nullptr; }

  /// For the runtime alone.
  /// @{
  plan_info Info;
  options Options;
  extents Arrays;          ///< Of the inspected loop.
  stream Stream = nullptr; ///< That was used last.
  int Device = -1;         ///< Of the inspection; below 0 is the host.
  /// The decision of a saved plan.
  strategy Remembered = strategy::automatic;
  backend RememberedWhere = backend::automatic;
  index_t RememberedIterations = 0;
  std::unique_ptr<detail::plan_state> State;
  /// @}
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_PLAN_HPP
