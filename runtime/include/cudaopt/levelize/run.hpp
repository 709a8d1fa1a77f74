// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The four calls by which loops run: inspect() finds how, execute() runs,
/// run() does both where it must, check() waits and tells how it ended.
/// loop.hpp says what a loop is, options.hpp what can be asked for.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_RUN_HPP
#define CUDAOPT_LEVELIZE_RUN_HPP

#include "cudaopt/levelize/detail/plan/execute_plan.hpp"
#include "cudaopt/levelize/detail/plan/inspect_plan.hpp"
#include "cudaopt/levelize/detail/plan/pattern.hpp"
#include "cudaopt/levelize/detail/support/trace.hpp"
#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/plan.hpp"

namespace cudaopt {

/// Finds how to run `for (i = 0; i < iterations; ++i) loop.body(i)` with the
/// result of that loop, and keeps it in a plan. Modifies no array.
///
/// \code{.cpp}
/// void solve_often(const scatter &loop, cudaopt::index_t n, int times) {
///   cudaopt::plan plan;
///   cudaopt::options wanted;
///   wanted.expected_runs = times; // A dearer inspection may pay.
///   cudaopt::status s = cudaopt::inspect(plan, loop, n, wanted);
///   for (int k = 0; k < times && s == cudaopt::status::ok; ++k)
///     s = cudaopt::execute(plan, loop);
///   if (s == cudaopt::status::ok)
///     s = cudaopt::check(plan);
///   if (s == cudaopt::status::index_out_of_range)
///     std::printf("iteration %lld\n",
///                 static_cast<long long>(plan.info().bad_iteration));
/// }
/// \endcode
///
/// \param p Any plan. What it held is freed first. It is valid afterwards if
///     the call returns status::ok; plan::info() tells in any case what was
///     found and tried.
/// \param loop See loop.hpp. The call keeps no reference to it. Its conflict
///     arrays may overlap each other in any way; other memory that its body
///     writes must not overlap anything else that the loop uses.
/// \param iterations The number of iterations, at most 2^62; a negative one is
///     taken for 0.
/// \param wanted What the caller asks for. The environment completes it: see
///     levelize.hpp.
/// \param s The stream of the inspection's kernels: what it did before, such
///     as writing the indices, has happened when slices run. It must outlive
///     the plan, whose memory is freed in its order. The CPU backend does not
///     wait for it: there the data must be ready.
///
/// \returns
/// - status::ok: the plan is valid.
/// - status::invalid_argument: an option or an array that cannot be (null, of
///   negative size, larger than the address space), or arrays that are no
///   members of the loop and have no numbers.
/// - status::index_out_of_range: a slice names an element outside of its
///   array; plan_info::bad_iteration is the first such iteration.
///   strategy::sequential does not look, and strategy::reserve may look only
///   when it executes.
/// - status::not_profitable: the loop should run in order, and
///   options::fallback is false.
/// - status::out_of_memory, status::unsupported: no strategy that was tried
///   had the memory, or the property of the loop, that it needs; also
///   unsupported if neither backend reaches all arrays.
/// - status::capturing: \p s is captured; the capture goes on.
/// - status::cuda_error: plan_info::cuda_error says which.
/// - status::stalled: a trial run stalled, as the slice does not name the
///   accesses of the body.
///
/// What a slice throws on the host is rethrown; the plan is not valid then.
///
/// Synchronisation: on the device the calling thread waits for \p s, once or
/// several times, unless the strategy is forced or proved and needs no look
/// (strategy::doall for a loop that is_independent). On the CPU slices run in
/// the calling thread.
///
/// Memory: the plan's tables, and scratch that is given back in the order of
/// \p s, both from options::pool or the runtime's own pool; together never more
/// than options::max_scratch_bytes.
///
/// Complexity: for A accesses, one pass over the slices to choose a strategy;
/// then nothing, O(A) atomics, or a radix sort of A pairs, by strategy (the
/// table in docs/Runtime.md).
template <class Loop>
status inspect(plan &p, const Loop &loop, index_t iterations,
               const options &wanted = {}, stream s = nullptr) {
  const status result =
      detail::inspect_loop(detail::contents_of(p), loop, iterations, wanted, s);
  detail::trace(p, result);
  return result;
}

/// Runs all iterations of a loop that was inspected.
///
/// \code{.cpp}
/// // Sweeps over the same indices; only the values of loop.A change.
/// cudaopt::status sweep(cudaopt::plan &plan, const scatter &loop, int times,
///                       cudaopt::stream s) {
///   cudaopt::status result = cudaopt::status::ok;
///   for (int k = 0; k < times && result == cudaopt::status::ok; ++k)
///     result = cudaopt::execute(plan, loop, s);
///   return result == cudaopt::status::ok ? cudaopt::check(plan) : result;
/// }
/// \endcode
///
/// \param p A valid plan. Two executions of one plan must not overlap in time,
///     since they share its counters: on one stream they never do.
/// \param loop The loop that was inspected, or one whose slices make the same
///     accesses. Its arrays must have the same addresses and sizes, which is
///     checked, and its slices must read the same values, which is not; all
///     other values may have changed.
/// \param s A stream of the device that the plan belongs to. Ignored on the
///     CPU, which does not wait for it.
///
/// \returns
/// - status::ok: on the CPU, all iterations have run. On the device, they have
///   been launched; check() tells how they ended.
/// - status::unsupported: the plan is not valid. status::invalid_argument: the
///   arrays are not those of the inspection. status::capturing: the strategy
///   would wait for \p s, which is captured. Nothing was modified.
/// - status::out_of_memory: no thread, or no graph, could be made. Nothing was
///   modified.
/// - status::index_out_of_range: only by strategy::reserve. On the device the
///   conflict arrays of a loop that is_self_indexing have their old values
///   again; on the CPU all iterations before the bad one have run, and some
///   later ones may have. plan_info::bad_iteration does not tell which it is.
/// - status::stalled: the watchdog ended the execution, whose data are
///   undefined. Only on the CPU and by strategy::tickets in windows; otherwise
///   check() says so.
/// - status::cuda_error: a launch failed; plan_info::cuda_error says which.
///
/// What a body throws on the host is rethrown when all threads have stopped,
/// the first one if there are several. Some iterations have run then, in any
/// order; the plan may be executed again.
///
/// Synchronisation: asynchronous on the device, and may be captured into a
/// graph, but for strategy::reserve, strategy::tickets in windows and the first
/// execution of strategy::paper_levels, which wait for \p s. If the calling
/// thread has an error of CUDA that somebody else left, the launches are made
/// by another thread, which costs some 50 us.
///
/// Memory: none beyond the plan's, except by those strategies that wait, and by
/// strategy::levels_graph, which makes its graph at the first execution.
template <class Loop>
status execute(plan &p, const Loop &loop, stream s = nullptr) {
  return detail::execute_loop(detail::contents_of(p), loop, s);
}

/// Inspects, unless options::when says that the plan still serves, and
/// executes.
///
/// \code{.cpp}
/// // The indices of loop.w and loop.r change from time to time.
/// cudaopt::status step(cudaopt::plan &plan, const scatter &loop,
///                      cudaopt::index_t n, cudaopt::stream s) {
///   cudaopt::options wanted;
///   wanted.when = cudaopt::reuse::checked;
///   wanted.indices[0] = {loop.w, std::size_t(n) * sizeof(int)};
///   wanted.indices[1] = {loop.r, std::size_t(n) * sizeof(int)};
///   wanted.expected_runs = 10;
///   return cudaopt::run(plan, loop, n, wanted, s);
/// }
/// \endcode
///
/// The plan serves if it is valid, was made for as many iterations, the same
/// arrays and the same options force, exact, fallback and max_scratch_bytes
/// (and where, unless that is automatic now), and if
///
/// - reuse::unchanged: always; the caller answers for the slices;
/// - reuse::checked: the contents of options::indices and the number
///   options::slice_values have the hash that they had at the inspection, which
///   asked for reuse::checked, too. This reads all indices once and, where some
///   are on the device, waits for \p s. Of two different patterns the chance
///   of one hash is 2^-128;
/// - reuse::never: never.
///
/// Parameters, errors and the rest are those of inspect() and execute(). An
/// error of the inspection means that nothing was modified.
template <class Loop>
status run(plan &p, const Loop &loop, index_t iterations,
           const options &wanted = {}, stream s = nullptr) {
  const index_t n = iterations < 0 ? 0 : iterations;
  bool serves = false; // Wrong arguments are inspect()'s to refuse.
  status result = detail::is_reusable(detail::contents_of(p), loop.arrays(), n,
                                      wanted, s, serves);
  if (result == status::ok && !serves)
    result = cudaopt::inspect(p, loop, n, wanted, s);
  return result == status::ok ? cudaopt::execute(p, loop, s) : result;
}

/// Waits for the last execution of a plan and tells how it ended.
///
/// \code{.cpp}
/// bool has_run(cudaopt::plan &plan, const scatter &loop) {
///   return cudaopt::execute(plan, loop) == cudaopt::status::ok &&
///          cudaopt::check(plan) == cudaopt::status::ok;
/// }
/// \endcode
///
/// \param p A plan. It stays valid, whatever is returned.
///
/// \returns
/// - status::ok: all iterations have run.
/// - status::stalled: for options::stall_ms nothing had moved, and the watchdog
///   ended the execution; data are undefined. Told once: the plan may be
///   executed again.
/// - status::cuda_error: a kernel of this or an earlier call on the stream
///   failed; plan_info::cuda_error says how.
/// - status::capturing: the stream is captured, so that nothing has run yet;
///   the capture goes on.
/// - status::unsupported: the plan is not valid.
///
/// Synchronisation: the calling thread waits for everything on the stream of
/// the plan's last inspection or execution. On the CPU, where executions are
/// over when they return, it waits for nothing. Takes no memory.
inline status check(plan &p) {
  return detail::check_plan(detail::contents_of(p));
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_RUN_HPP
