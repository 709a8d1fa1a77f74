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
///
/// \code{.cpp}
/// cudaopt::plan planned(const scatter &loop, cudaopt::index_t n) {
///   cudaopt::plan plan;
///   if (cudaopt::inspect(plan, loop, n) == cudaopt::status::ok)
///     std::printf("%s, %zu bytes\n", cudaopt::name_of(plan.info().chosen),
///                 plan.info().bytes);
///   return plan; // Not valid if the inspection failed.
/// }
/// \endcode
///
/// The member functions do not wait for the device, and throw nothing.
class plan {
public:
  /// Makes a plan that is not valid and takes no memory.
  plan() = default;
  /// Takes over the tables of another plan, which is not valid any more.
  plan(plan &&) = default;
  /// The same; what the plan held is freed.
  plan &operator=(plan &&) = default;

  /// Counts, times and choices of the last inspection, whether or not it
  /// succeeded. The reference stays valid as long as the plan.
  const plan_info &info() const { return contents_.info; }
  /// Frees the tables, in the order of the inspection's stream; the next run()
  /// inspects again. info() stays what it is.
  void invalidate() { contents_.state.reset(); }
  /// Returns true if the last inspection succeeded and its tables are there, so
  /// that execute() may be called.
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
