// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The execution of a loop that was inspected, and how it ended.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_PLAN_EXECUTE_PLAN_HPP
#define CUDAOPT_LEVELIZE_DETAIL_PLAN_EXECUTE_PLAN_HPP

#include "cudaopt/levelize/detail/cpu/dispatch.hpp"
#include "cudaopt/levelize/detail/inspect/device_dispatch.hpp"
#include "cudaopt/levelize/detail/inspect/numbers.hpp"
#include "cudaopt/levelize/detail/plan/plan_contents.hpp"
#include "cudaopt/levelize/detail/support/arguments.hpp"
#include "cudaopt/levelize/detail/support/trace.hpp"

namespace cudaopt::detail {

/// The part of execute() that runs a loop whose arrays have their numbers.
template <class Loop>
status execute_numbered(plan_contents &p, const Loop &loop,
                        const extents &arrays, stream s) {
  if (!are_same(p.arrays, arrays))
    return status::invalid_argument;
  p.last_stream = s;
  const trace_range range(name_of(p.info.chosen));
#if CUDAOPT_CUDA
  if (p.info.where == backend::gpu) {
    const device_scope there(p.device);
    return with_own_errors(s, [&] {
      return without_throwing([&] {
        const status answer = execute_on_device(p.info.chosen, *p.state, loop,
                                                p.info.iterations, s);
        if (answer == status::cuda_error)
          p.info.cuda_error = int(cudaPeekAtLastError());
        return answer;
      });
    });
  }
#endif
  return cpu::execute(p.info.chosen, *p.state, loop, p.info.iterations);
}

/// As execute().
template <class Loop>
status execute_loop(plan_contents &p, const Loop &loop, stream s) {
  if (!p.state)
    return status::unsupported;
  if (p.info.iterations == 0)
    return status::ok;
  return with_numbers(loop, [&](const auto &numbered, const extents &arrays) {
    return execute_numbered(p, numbered, arrays, s);
  });
}

/// As check().
inline status check_plan(plan_contents &p) {
#if CUDAOPT_CUDA
  if (p.info.where == backend::gpu && p.state) {
    const own_errors mine;
    const device_scope there(p.device);
    if (is_captured(p.last_stream))
      return status::capturing;
    std::uint32_t stalled = 0;
    cudaError_t e = cudaSuccess;
    std::uint32_t *word = p.state->stalled_word();
    if (word)
      e = cudaMemcpyAsync(&stalled, word, sizeof(stalled),
                          cudaMemcpyDeviceToHost, p.last_stream);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(p.last_stream);
    if (e == cudaSuccess && stalled)
      e = cudaMemsetAsync(word, 0, sizeof(stalled), p.last_stream);
    if (e != cudaSuccess) {
      p.info.cuda_error = int(e);
      return status::cuda_error;
    }
    if (stalled)
      return status::stalled;
  }
#endif
  return p.state ? status::ok : status::unsupported;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_PLAN_EXECUTE_PLAN_HPP
