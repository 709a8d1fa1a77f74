// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Calls the code of a strategy on the CPU, given its value.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_DISPATCH_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_DISPATCH_HPP

#include "cudaopt/levelize/detail/cpu/chains.hpp"
#include "cudaopt/levelize/detail/cpu/doall.hpp"
#include "cudaopt/levelize/detail/cpu/last_writer.hpp"
#include "cudaopt/levelize/detail/cpu/levels.hpp"
#include "cudaopt/levelize/detail/cpu/owner.hpp"
#include "cudaopt/levelize/detail/cpu/reductions.hpp"
#include "cudaopt/levelize/detail/cpu/renaming.hpp"
#include "cudaopt/levelize/detail/cpu/reserve.hpp"
#include "cudaopt/levelize/detail/cpu/sequential.hpp"
#include "cudaopt/levelize/detail/cpu/tickets.hpp"
#include "cudaopt/levelize/detail/inspect/strategy_dispatch.hpp"

namespace cudaopt::detail::cpu {

/// True if strategy \p S exists on the CPU and is compiled for \p Loop.
template <strategy S, class Loop, class = void>
struct is_on_cpu : std::false_type {};
template <strategy S, class Loop>
struct is_on_cpu<S, Loop, std::void_t<typename on_cpu<S>::state>>
    : std::bool_constant<S == strategy::sequential ||
                         considered<Loop>::value.contains(S)> {};

/// What a plan keeps on the CPU: the strategy's tables and the workers.
struct cpu_state : plan_state {
  /// The budget of the members that follow, which must end before it.
  std::unique_ptr<host_scratch> memory;
  std::unique_ptr<plan_state> of_strategy;
  std::unique_ptr<thread_team> team;

  std::size_t bytes() const override { return of_strategy->bytes(); }
};

/// Inspects \p loop for strategy \p s, in the calling thread.
template <class Rules = exact_rules, class Loop>
status inspect(strategy s, inspection &in, const Loop &loop,
               std::unique_ptr<plan_state> &result) {
  return with_strategy(s, [&](auto constant) {
    constexpr strategy S = decltype(constant)::value;
    if constexpr (is_on_cpu<S, Loop>::value)
      return on_cpu<S>::template inspect<Rules>(in, loop, result);
    else
      return status::unsupported;
  });
}

/// Executes \p loop by the workers of \p team.
template <class Loop, class Team>
status execute_by(Team &team, strategy s, plan_state &state, const Loop &loop,
                  index_t iterations) {
  return with_strategy(s, [&](auto constant) {
    constexpr strategy S = decltype(constant)::value;
    if constexpr (is_on_cpu<S, Loop>::value)
      return on_cpu<S>::execute(static_cast<typename on_cpu<S>::state &>(state),
                                loop, iterations, team);
    else
      return status::unsupported;
  });
}

/// As inspect(), and makes the workers. The caller must set cpu_state::memory
/// to the budget that \p in has, as the tables were taken from it.
template <class Loop>
status inspect_for_plan(strategy s, inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
  auto made = make_or_null<cpu_state>();
  if (!made)
    return status::out_of_memory;
  const status answer = inspect(s, in, loop, made->of_strategy);
  if (answer != status::ok)
    return answer;
  made->team = make_or_null<thread_team>(
      s == strategy::sequential ? 1 : in.wanted.threads, in.wanted.stall_ms);
  if (!made->team)
    return status::out_of_memory;
  result = std::move(made);
  return status::ok;
}

/// Executes \p loop by the workers of its plan. Returns when all have ended.
template <class Loop>
status execute(strategy s, plan_state &state, const Loop &loop,
               index_t iterations) {
  auto &made = static_cast<cpu_state &>(state);
  made.team->prepare();
  return execute_by(*made.team, s, *made.of_strategy, loop, iterations);
}

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_DISPATCH_HPP
