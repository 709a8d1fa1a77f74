// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The plan of a loop: what inspect() found, kept for execute(). It owns the
/// tables of the strategy that was chosen, such as the loop's accesses sorted
/// by location.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_PLAN_HPP
#define CUDAOPT_LEVELIZE_PLAN_HPP

#include "cudaopt/levelize/detail/plan/plan_contents.hpp"

namespace cudaopt {

class plan;

namespace detail {
plan_contents &contents_of(plan &p);
const plan_contents &contents_of(const plan &p);
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
  const plan_info &info() const { return contents_.info; }
  /// Frees the tables; the next run() inspects again.
  void invalidate() { contents_.state.reset(); }
  /// Returns true if execute() may be called.
  bool is_valid() const { return contents_.state != nullptr; }

private:
  friend detail::plan_contents &detail::contents_of(plan &p);
  friend const detail::plan_contents &detail::contents_of(const plan &p);

  detail::plan_contents contents_;
};

namespace detail {
/// For the runtime alone.
inline plan_contents &contents_of(plan &p) { return p.contents_; }
inline const plan_contents &contents_of(const plan &p) { return p.contents_; }
} // namespace detail

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_PLAN_HPP
