// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::doall on the CPU: loops whose iterations do not conflict, in any
/// order.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_DOALL_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_DOALL_HPP

#include "cudaopt/levelize/detail/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::doall> {
  struct state : plan_state {
    std::size_t bytes() const override { return 0; }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    if constexpr (!is_independent<Loop>::value) {
      const status s = find_order<Rules>(in, loop);
      if (s != status::ok)
        return s;
      for (index_t c = 0; c < in.order.cells(); ++c)
        if (in.order.has_conflict(c))
          return status::unsupported;
    }
    result = make_or_null<state>();
    return result ? status::ok : status::out_of_memory;
  }

  template <class Loop, class Team>
  static status execute(state &, const Loop &loop, index_t iterations,
                        Team &team) {
    claims work(iterations, block_of(iterations, team.size()));
    team.run([&](int) {
      shared_memory<Team> memory(team);
      share(team, work, [&](index_t i) { loop.body(i, memory); });
    });
    return ending_of(team);
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_DOALL_HPP
