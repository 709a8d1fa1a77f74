// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// From a strategy's value to its code on the CPU.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_DISPATCH_HPP
#define CUDAOPT_LEVELIZE_CPU_DISPATCH_HPP

#include "cudaopt/levelize/cpu/sequential.hpp"
#include "cudaopt/levelize/strategy_set.hpp"

namespace cudaopt::detail::cpu {

template <class Loop>
status candidates_for(inspection &in, const Loop &, strategy_list &result) {
  if (in.wanted.force != strategy::automatic)
    result.add(in.wanted.force);
  else
    result.add(strategy::sequential);
  return status::ok;
}

template <class Loop>
status inspect(strategy s, inspection &in, const Loop &loop,
               std::unique_ptr<plan_state> &result) {
  return with_strategy(s, [&](auto constant) {
    constexpr strategy S = decltype(constant)::value;
    if constexpr (S == strategy::sequential)
      return on_cpu<S>::inspect(in, loop, result);
    else
      return status::unsupported;
  });
}

template <class Loop>
status execute(strategy s, plan_state &state, const Loop &loop,
               index_t iterations, int) {
  return with_strategy(s, [&](auto constant) {
    constexpr strategy S = decltype(constant)::value;
    if constexpr (S == strategy::sequential)
      return on_cpu<S>::execute(static_cast<typename on_cpu<S>::state &>(state),
                                loop, iterations);
    else
      return status::unsupported;
  });
}

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_DISPATCH_HPP
