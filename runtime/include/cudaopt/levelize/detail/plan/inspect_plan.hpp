// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The inspection of a loop: chooses the backend, then tries one candidate
/// after the other until a strategy takes the loop.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_PLAN_INSPECT_PLAN_HPP
#define CUDAOPT_LEVELIZE_DETAIL_PLAN_INSPECT_PLAN_HPP

#include "cudaopt/levelize/detail/cpu/candidates.hpp"
#include "cudaopt/levelize/detail/inspect/decision.hpp"
#include "cudaopt/levelize/detail/inspect/device_dispatch.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/inspect/numbers.hpp"
#include "cudaopt/levelize/detail/plan/pattern.hpp"
#include "cudaopt/levelize/detail/plan/plan_contents.hpp"
#include "cudaopt/levelize/detail/support/environment.hpp"
#include "cudaopt/levelize/detail/support/trace.hpp"

#include <chrono>

namespace cudaopt::detail {

/// The plan of a loop without iterations: valid, and nothing to do.
struct empty_state : plan_state {
  std::size_t bytes() const override { return 0; }
};

/// The backend that runs a loop over \p arrays: the device if it reaches all of
/// them and the CPU is not \p wanted, else the CPU if host code reaches all of
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
status inspect_first(plan_contents &p, const strategy_list &candidates,
                     Inspect &&inspect) {
  status last = status::unsupported;
  for (strategy s : candidates) {
    if (s == strategy::sequential && !p.wanted.fallback &&
        p.wanted.force != strategy::sequential)
      return status::not_profitable;
    const status answer = inspect(s, p.state);
    p.info.was_tried[int(s)] = true;
    p.info.tried[int(s)] = answer;
    if (answer == status::ok) {
      p.info.chosen = s;
      return answer;
    }
    p.state.reset();
    last = answer;
    if (answer != status::unsupported && answer != status::out_of_memory &&
        answer != status::not_profitable)
      return answer;
  }
  return last;
}

/// Returns true if load() gave the plan a strategy that was chosen for as many
/// iterations on the same backend.
inline bool remembers(const plan_contents &p) {
  return p.wanted.force == strategy::automatic &&
         p.remembered != strategy::automatic &&
         p.remembered_where == p.info.where &&
         p.remembered_iterations == p.info.iterations;
}

/// Inspects by the strategy that the plan remembers, and if that does not apply
/// or has no memory, by the candidates that \p find adds to a list. Samples and
/// probes are part of \p find, so that a remembered strategy needs none.
template <class Find, class Inspect>
status inspect_remembered(plan_contents &p, Find &&find, Inspect &&inspect) {
  if (remembers(p)) {
    strategy_list one;
    one.add(p.remembered);
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
status inspect_here(plan_contents &p, const Loop &loop,
                    const location_map &map) {
  const index_t n = p.info.iterations;
#if CUDAOPT_CUDA
  if (p.info.where == backend::gpu) {
    scratch memory(p.wanted, p.last_stream);
    inspection in{n, map, p.wanted, memory, p.info};
    const status s = inspect_remembered(
        p,
        [&](strategy_list &list) {
          return candidates_on_device(in, loop, list);
        },
        [&](strategy one, auto &result) {
          return inspect_on_device(one, in, loop, result);
        });
    p.info.cuda_error = int(memory.error());
    return s;
  }
#endif
  auto memory = make_or_null<cpu::host_scratch>(p.wanted.max_scratch_bytes);
  if (!memory)
    return status::out_of_memory;
  status s;
  {
    cpu::inspection in{n, p.arrays, map, p.wanted, p.info, *memory};
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
    static_cast<cpu::cpu_state &>(*p.state).memory = std::move(memory);
  return s;
}

/// The part of inspect() that looks at the loop, whose arrays have the numbers
/// of their positions in arrays(). The hash of the indices is taken only after
/// an inspection that succeeded: other plans are never compared.
template <class Loop>
status inspect_numbered(plan_contents &p, const Loop &loop,
                        const extents &arrays) {
  p.arrays = arrays;
  if (status s = check_arrays(arrays); s != status::ok)
    return s;
  p.info.where = backend_for(arrays, p.wanted.where);
  if (p.info.iterations == 0) {
    p.state = make_or_null<empty_state>();
    p.info.chosen = strategy::sequential;
    return p.state ? status::ok : status::out_of_memory;
  }
  if (p.info.where == backend::automatic)
    return status::unsupported;
  const trace_range range("cudaopt inspect");
  status s;
#if CUDAOPT_CUDA
  if (p.info.where == backend::gpu) {
    if (is_captured(p.last_stream))
      return status::capturing;
    p.device = current_device();
    s = with_own_errors(p.last_stream, [&] {
      return without_throwing(
          [&] { return inspect_here(p, loop, map_locations(arrays)); });
    });
  } else
#endif
    s = inspect_here(p, loop, map_locations(arrays));
  if (s == status::ok) // A plan that failed is never compared.
    s = hash_of(p.wanted, p.last_stream, p.info.pattern_hash);
  if (s != status::ok)
    p.state.reset();
  return s;
}

/// As inspect(), without the line of the trace.
template <class Loop>
status inspect_loop(plan_contents &p, const Loop &loop, index_t iterations,
                    const options &wanted, stream s) {
  const auto begin = std::chrono::steady_clock::now();
  p.state.reset();
  const int inspections = p.info.inspections + 1;
  p.info = {};
  p.info.inspections = inspections;
  p.wanted = with_environment(wanted);
  p.last_stream = s;
  p.device = -1;
  p.info.iterations = iterations < 0 ? 0 : iterations;
  p.info.was_forced = p.wanted.force != strategy::automatic;
  status result = check_options(p.wanted);
  if (iterations > most_iterations)
    result = status::invalid_argument;
  if (result == status::ok)
    result =
        with_numbers(loop, [&](const auto &numbered, const extents &arrays) {
          return inspect_numbered(p, numbered, arrays);
        });
  p.info.bytes = p.state ? p.state->bytes() : 0;
  p.info.inspect_ms = std::chrono::duration<float, std::milli>(
                          std::chrono::steady_clock::now() - begin)
                          .count();
  return result;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_PLAN_INSPECT_PLAN_HPP
