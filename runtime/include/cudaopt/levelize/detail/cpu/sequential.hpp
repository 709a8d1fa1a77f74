// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::sequential on the CPU: the loop as it was written.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_SEQUENTIAL_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_SEQUENTIAL_HPP

#include "cudaopt/levelize/detail/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::sequential> {
  struct state : plan_state {
    std::size_t bytes() const override { return 0; }
  };
  /// Does not check indices, which would cost more than the loop.
  template <class Rules, class Loop>
  static status inspect(inspection &, const Loop &,
                        std::unique_ptr<plan_state> &result) {
    result = make_or_null<state>();
    return result ? status::ok : status::out_of_memory;
  }
  template <class Loop, class Team>
  static status execute(state &, const Loop &loop, index_t iterations, Team &) {
    direct_memory memory;
    for (index_t i = 0; i < iterations; ++i)
      loop.body(i, memory);
    return status::ok;
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_SEQUENTIAL_HPP
