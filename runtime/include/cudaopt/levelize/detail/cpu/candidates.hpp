// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The choice on the CPU: which strategies are tried for a loop, in what order.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_CANDIDATES_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_CANDIDATES_HPP

#include "cudaopt/levelize/detail/cpu/dispatch.hpp"

namespace cudaopt::detail::cpu {

/// An inspection on the CPU takes about as long as this many executions in
/// order: it sorts all accesses.
constexpr int inspection_in_runs = 20;

/// Lists the candidates for a loop, best first; strategy::sequential is last.
/// Without a device, inspections pay only for loops that run very often.
template <class Loop> strategy_list candidates_for(const inspection &in) {
  strategy_list result;
  if (in.wanted.force != strategy::automatic) {
    result.add(in.wanted.force);
    return result;
  }
  const int threads = in.wanted.threads > 0 ? in.wanted.threads : count_cores();
  const bool is_large = in.iterations >= 1 << 14;
  if (is_independent<Loop>::value && threads > 1 && is_large)
    result.add(strategy::doall);
  if (threads > 2 && is_large && !is_self_indexing<Loop>::value &&
      in.wanted.expected_runs > 2 * inspection_in_runs)
    for (strategy s :
         {strategy::doall, strategy::last_writer, strategy::atomic_reduction,
          strategy::chains, strategy::ordered_reduction, strategy::tickets})
      result.add(s);
  result.add(strategy::sequential);
  return result;
}

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_CANDIDATES_HPP
