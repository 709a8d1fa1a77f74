// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The plan of a loop: what inspect() found, kept for execute(). It owns the
/// tables of the strategy that was chosen, such as the loop's accesses sorted
/// by location.
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
  /// The size of the tables in bytes of device memory, or of host memory for
  /// the CPU backend.
  virtual std::size_t bytes() const = 0;
  /// The word of the device that the watchdog sets and check() resets; null if
  /// no thread of the strategy ever waits for another.
  virtual std::uint32_t *stalled_word() const { return nullptr; }
};

} // namespace detail

/// What inspect() found out about one loop. Made empty, filled by inspect() or
/// run(), used by execute() as often as the loop's accesses stay the same.
///
/// A plan belongs to one loop over the same arrays, to one stream at a time,
/// and to the device that was the current one at its inspection, whichever is
/// the current one later. One thread may use it at a time.
///
/// It may be moved, not copied. Its memory is freed in the order of the stream
/// that it was inspected on, which must therefore live longer; executions on
/// other streams must have ended. On the CPU it owns threads, too; a child of
/// fork() makes new ones, while plans for the device return status::cuda_error
/// there.
class plan {
public:
  plan() = default;
  plan(plan &&) = default;
  plan &operator=(plan &&) = default;

  /// Counts, times and choices of the last inspection, whether or not it
  /// succeeded. The reference stays valid as long as the plan.
  const plan_info &info() const { return Info; }
  /// Frees the tables; the next run() inspects again.
  void invalidate() { State.reset(); }
  /// Returns true if execute() may be called.
  bool is_valid() const { return State != nullptr; }

  /// For the runtime alone.
  /// @{
  plan_info Info;
  options Options;         ///< Completed by the environment.
  extents Arrays;          ///< The conflict arrays of the inspected loop.
  stream Stream = nullptr; ///< The stream that was used last.
  int Device = -1;         ///< The inspection's device; negative: the host.
  /// The decision that load() brought; automatic if there is none.
  strategy Remembered = strategy::automatic;
  backend RememberedWhere = backend::automatic;
  index_t RememberedIterations = 0;
  std::unique_ptr<detail::plan_state> State;
  /// @}
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_PLAN_HPP
