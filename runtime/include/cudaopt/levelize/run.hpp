// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Inspects loops and runs them (inspect, execute, run, check).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_RUN_HPP
#define CUDAOPT_LEVELIZE_RUN_HPP

#include "cudaopt/levelize/cpu/candidates.hpp"
#include "cudaopt/levelize/decision.hpp"
#include "cudaopt/levelize/device_dispatch.hpp"
#include "cudaopt/levelize/environment.hpp"
#include "cudaopt/levelize/numbers.hpp"
#include "cudaopt/levelize/pattern.hpp"
#include "cudaopt/levelize/trace.hpp"

#include <chrono>

namespace cudaopt {

namespace detail {

/// Of loops without iterations.
struct empty_state : plan_state {
  std::size_t bytes() const override { return 0; }
};

/// Where a loop over \p arrays runs; automatic if that is impossible.
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

/// Tries \p candidates until one applies.
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

/// Whether a saved plan says how to run the loop.
inline bool remembers(const plan &p) {
  return p.Options.force == strategy::automatic &&
         p.Remembered != strategy::automatic &&
         p.RememberedWhere == p.Info.where &&
         p.RememberedIterations == p.Info.iterations;
}

/// By the candidates that \p find gives, the remembered one first.
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

/// The part of inspect() that looks at the loop.
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
  if (s == status::ok) // Else nobody will ask.
    s = hash_of(p.Options, p.Stream, p.Info.pattern_hash);
  if (s != status::ok)
    p.State.reset();
  return s;
}

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

/// Finds how to run `for (i = 0; i < iterations; ++i) loop.body(i)`. Modifies
/// nothing but the plan. Waits for \p s, which must not be captured. What a
/// slice throws on the host is the caller's, and the plan is not valid then.
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

/// Runs a loop that was inspected: the same iterations, arrays of the same
/// places and sizes, and a slice that reads the same values. On the device it
/// is asynchronous and may be captured into a graph, except where the strategy
/// waits (status::capturing); errors of the execution are told by check(). What
/// a body throws on the host is the caller's, after all threads have ended:
/// some iterations have run then, and the plan may be executed again.
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

/// Inspects, unless options::when says that \p p still serves, and executes.
template <class Loop>
status run(plan &p, const Loop &loop, index_t iterations,
           const options &wanted = {}, stream s = nullptr) {
  const index_t n = iterations < 0 ? 0 : iterations;
  bool serves = false; // Wrong arguments are inspect()'s to refuse.
  status result = detail::still_serves(p, loop.arrays(), n, wanted, s, serves);
  if (result == status::ok && !serves)
    result = cudaopt::inspect(p, loop, n, wanted, s);
  return result == status::ok ? cudaopt::execute(p, loop, s) : result;
}

/// Waits for the last execution and tells how it ended; an execution that
/// stalled is told once, and the plan may be executed again. While the stream
/// is captured there is nothing to wait for: status::capturing.
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
