// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Iterations that conflict over one location each: those of a location run in
/// order, the locations at the same time.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_CHAINS_HPP
#define CUDAOPT_LEVELIZE_CPU_CHAINS_HPP

#include "cudaopt/levelize/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::chains> {
  struct state : plan_state {
    std::vector<index_t> begin; ///< Of a chain's iterations.
    std::vector<index_t> iterations;

    std::size_t bytes() const override {
      return bytes_of(begin) + bytes_of(iterations);
    }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    const status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    const access_order &order = in.order;
    std::vector<bool> is_chained(std::size_t(in.iterations));
    auto made = std::make_unique<state>();
    for (index_t c = 0; c < order.cells(); ++c) {
      if (!order.has_conflict(c))
        continue;
      made->begin.push_back(index_t(made->iterations.size()));
      for (index_t e = order.cell_begin[c]; e < order.cell_begin[c + 1]; ++e) {
        const index_t i = order.iteration[e];
        if (is_chained[i])
          return status::unsupported;
        is_chained[i] = true;
        made->iterations.push_back(i);
      }
    }
    for (index_t i = 0; i < in.iterations; ++i)
      if (!is_chained[i]) {
        made->begin.push_back(index_t(made->iterations.size()));
        made->iterations.push_back(i);
      }
    made->begin.push_back(index_t(made->iterations.size()));
    return keep_within(in, std::move(made), result);
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t, Team &team) {
    const index_t chains = index_t(s.begin.size()) - 1;
    claims work(chains, block_of(chains, team.size()));
    team.run([&](int) {
      shared_memory<Team> memory(team);
      share(team, work, [&](index_t c) {
        for (index_t k = s.begin[c]; k < s.begin[c + 1]; ++k)
          loop.body(s.iterations[k], memory);
      });
    });
    return ending_of(team);
  }
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_CHAINS_HPP
