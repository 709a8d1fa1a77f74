// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The four calls by which loops run: inspect() finds how, execute() runs,
/// run() does both where it must, check() waits and tells how it ended.
/// loop.hpp says what a loop is, options.hpp what can be asked for.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_RUN_HPP
#define CUDAOPT_LEVELIZE_RUN_HPP

#include "cudaopt/levelize/detail/cpu/candidates.hpp"
#include "cudaopt/levelize/detail/inspect/decision.hpp"
#include "cudaopt/levelize/detail/inspect/device_dispatch.hpp"
#include "cudaopt/levelize/detail/inspect/numbers.hpp"
#include "cudaopt/levelize/detail/inspect/pattern.hpp"
#include "cudaopt/levelize/detail/support/environment.hpp"
#include "cudaopt/levelize/detail/support/trace.hpp"

#include <chrono>

namespace cudaopt {

namespace detail {

/// The plan of a loop without iterations: valid, and nothing to do.
struct empty_state : plan_state {
  std::size_t bytes() const override { return 0; }
};

/// The backend that runs a loop over \p arrays: the device if it reaches all of
/// them and nobody \p wanted the CPU, else the CPU if host code reaches all of
/// them. backend::automatic if there is no such backend.
inline backend backend_for(const extents &arrays, backend wanted) {
#if CUDAOPT_CUDA
  const own_errors mine;
  const reach data = reach_of(arrays);
  if (wanted == backend::cpu)
    return data.host ? backend::cpu : backend::automatic;
  if (data.device)
    return backend::gpu;
  return wanted == backend::automatic && data.host ? backend::cpu
                                                   : backend::automatic;
#else
  (void)arrays;
  return wanted == backend::gpu ? backend::automatic : backend::cpu;
#endif
}

/// Calls \p inspect(strategy, state) for one candidate after the other, until
/// one succeeds or fails for a reason that holds for all of them, such as an
/// index out of range. "Unsupported", "out of memory" and "not profitable"
/// concern one strategy alone. Returns the last answer.
template <class Inspect>
status inspect_first(plan &p, const strategy_list &candidates,
                     Inspect &&inspect) {
  status last = status::unsupported;
  for (strategy s : candidates) {
    if (s == strategy::sequential && !p.Options.fallback &&
        p.Options.force != strategy::sequential)
      return status::not_profitable;
    const status answer = inspect(s, p.State);
    p.Info.was_tried[int(s)] = true;
    p.Info.tried[int(s)] = answer;
    if (answer == status::ok) {
      p.Info.chosen = s;
      return answer;
    }
    p.State.reset();
    last = answer;
    if (answer != status::unsupported && answer != status::out_of_memory &&
        answer != status::not_profitable)
      return answer;
  }
  return last;
}

/// Returns true if load() gave the plan a strategy that was chosen for as many
/// iterations on the same backend.
inline bool remembers(const plan &p) {
  return p.Options.force == strategy::automatic &&
         p.Remembered != strategy::automatic &&
         p.RememberedWhere == p.Info.where &&
         p.RememberedIterations == p.Info.iterations;
}

/// Inspects by the strategy that the plan remembers, and if that does not apply
/// or has no memory, by the candidates that \p find adds to a list. Samples and
/// probes are part of \p find, so that a remembered strategy needs none.
template <class Find, class Inspect>
status inspect_remembered(plan &p, Find &&find, Inspect &&inspect) {
  if (remembers(p)) {
    strategy_list one;
    one.add(p.Remembered);
    const status s = inspect_first(p, one, inspect);
    if (s != status::unsupported && s != status::out_of_memory)
      return s;
  }
  strategy_list candidates;
  const status s = find(candidates);
  return s == status::ok ? inspect_first(p, candidates, inspect) : s;
}

/// Inspects on the backend that was chosen, in the calling thread.
template <class Loop>
status inspect_here(plan &p, const Loop &loop, const location_map &map) {
  const index_t n = p.Info.iterations;
#if CUDAOPT_CUDA
  if (p.Info.where == backend::gpu) {
    scratch memory(p.Options, p.Stream);
    inspection in{n, map, p.Options, memory, p.Info};
    const status s = inspect_remembered(
        p,
        [&](strategy_list &list) {
          return candidates_on_device(in, loop, list);
        },
        [&](strategy one, auto &result) {
          return inspect_on_device(one, in, loop, result);
        });
    p.Info.cuda_error = int(memory.error());
    return s;
  }
#endif
  auto memory = make_or_null<cpu::host_scratch>(p.Options.max_scratch_bytes);
  if (!memory)
    return status::out_of_memory;
  status s;
  {
    cpu::inspection in{n, p.Arrays, map, p.Options, p.Info, *memory};
    s = inspect_remembered(
        p,
        [&](strategy_list &list) {
          list = cpu::candidates_for<Loop>(in);
          return status::ok;
        },
        [&](strategy one, auto &result) {
          return cpu::inspect_for_plan(one, in, loop, result);
        });
  }
  if (s == status::ok)
    static_cast<cpu::cpu_state &>(*p.State).memory = std::move(memory);
  return s;
}

/// The part of inspect() that looks at the loop, whose arrays have the numbers
/// of their positions in arrays(). The hash of the indices is taken only after
/// an inspection that succeeded: other plans are never compared.
template <class Loop>
status inspect_numbered(plan &p, const Loop &loop, const extents &arrays) {
  p.Arrays = arrays;
  if (status s = check_arrays(arrays); s != status::ok)
    return s;
  p.Info.where = backend_for(arrays, p.Options.where);
  if (p.Info.iterations == 0) {
    p.State = make_or_null<empty_state>();
    p.Info.chosen = strategy::sequential;
    return p.State ? status::ok : status::out_of_memory;
  }
  if (p.Info.where == backend::automatic)
    return status::unsupported;
  const trace_range range("cudaopt inspect");
  status s;
#if CUDAOPT_CUDA
  if (p.Info.where == backend::gpu) {
    if (is_captured(p.Stream))
      return status::capturing;
    p.Device = current_device();
    s = with_own_errors(p.Stream, [&] {
      return without_throwing(
          [&] { return inspect_here(p, loop, map_locations(arrays)); });
    });
  } else
#endif
    s = inspect_here(p, loop, map_locations(arrays));
  if (s == status::ok) // A plan that failed is never compared.
    s = hash_of(p.Options, p.Stream, p.Info.pattern_hash);
  if (s != status::ok)
    p.State.reset();
  return s;
}

/// The part of execute() that runs a loop whose arrays have their numbers.
template <class Loop>
status execute_numbered(plan &p, const Loop &loop, const extents &arrays,
                        stream s) {
  if (!are_same(p.Arrays, arrays))
    return status::invalid_argument;
  p.Stream = s;
  const trace_range range(name_of(p.Info.chosen));
#if CUDAOPT_CUDA
  if (p.Info.where == backend::gpu) {
    const device_scope there(p.Device);
    return with_own_errors(s, [&] {
      return without_throwing([&] {
        const status answer = execute_on_device(p.Info.chosen, *p.State, loop,
                                                p.Info.iterations, s);
        if (answer == status::cuda_error)
          p.Info.cuda_error = int(cudaPeekAtLastError());
        return answer;
      });
    });
  }
#endif
  return cpu::execute(p.Info.chosen, *p.State, loop, p.Info.iterations);
}

} // namespace detail

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
///     environment.hpp.
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
  const auto begin = std::chrono::steady_clock::now();
  p.State.reset();
  const int inspections = p.Info.inspections + 1;
  p.Info = {};
  p.Info.inspections = inspections;
  p.Options = detail::with_environment(wanted);
  p.Stream = s;
  p.Device = -1;
  p.Info.iterations = iterations < 0 ? 0 : iterations;
  p.Info.was_forced = p.Options.force != strategy::automatic;
  status result = detail::check_options(p.Options);
  if (iterations > detail::most_iterations)
    result = status::invalid_argument;
  if (result == status::ok)
    result = detail::with_numbers(
        loop, [&](const auto &numbered, const extents &arrays) {
          return detail::inspect_numbered(p, numbered, arrays);
        });
  p.Info.bytes = p.State ? p.State->bytes() : 0;
  p.Info.inspect_ms = std::chrono::duration<float, std::milli>(
                          std::chrono::steady_clock::now() - begin)
                          .count();
  detail::trace(p, result);
  return result;
}

/// Runs all iterations of a loop that was inspected.
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
  if (!p.State)
    return status::unsupported;
  if (p.Info.iterations == 0)
    return status::ok;
  return detail::with_numbers(
      loop, [&](const auto &numbered, const extents &arrays) {
        return detail::execute_numbered(p, numbered, arrays, s);
      });
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
  status result = detail::is_reusable(p, loop.arrays(), n, wanted, s, serves);
  if (result == status::ok && !serves)
    result = cudaopt::inspect(p, loop, n, wanted, s);
  return result == status::ok ? cudaopt::execute(p, loop, s) : result;
}

/// Waits for the last execution of a plan and tells how it ended. Waits for
/// everything else on the stream of the plan's last inspection or execution,
/// too; on the CPU, where executions are over when they return, for nothing.
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
/// Takes no memory.
inline status check(plan &p) {
#if CUDAOPT_CUDA
  if (p.Info.where == backend::gpu && p.State) {
    const detail::own_errors mine;
    const detail::device_scope there(p.Device);
    if (detail::is_captured(p.Stream))
      return status::capturing;
    std::uint32_t stalled = 0;
    cudaError_t e = cudaSuccess;
    std::uint32_t *word = p.State->stalled_word();
    if (word)
      e = cudaMemcpyAsync(&stalled, word, sizeof(stalled),
                          cudaMemcpyDeviceToHost, p.Stream);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(p.Stream);
    if (e == cudaSuccess && stalled)
      e = cudaMemsetAsync(word, 0, sizeof(stalled), p.Stream);
    if (e != cudaSuccess) {
      p.Info.cuda_error = int(e);
      return status::cuda_error;
    }
    if (stalled)
      return status::stalled;
  }
#endif
  return p.State ? status::ok : status::unsupported;
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_RUN_HPP
