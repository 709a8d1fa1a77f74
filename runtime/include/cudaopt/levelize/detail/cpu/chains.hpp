// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::chains on the CPU: loops whose iterations conflict over at most
/// one location each. The iterations of a location run in order, by one worker;
/// different locations run at the same time.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_CHAINS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_CHAINS_HPP

#include "cudaopt/levelize/detail/cpu/inspection.hpp"

namespace cudaopt::detail::cpu {

template <> struct on_cpu<strategy::chains> {
  struct state : plan_state {
    host_array<index_t> begin; ///< By chain: its first iteration; and the end.
    host_array<index_t> iterations; ///< By chain; in a chain, in order.

    std::size_t bytes() const override {
      return begin.bytes() + iterations.bytes();
    }
  };

  template <class Rules, class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    status s = find_order<Rules>(in, loop);
    if (s != status::ok)
      return s;
    const access_order &order = in.order;
    host_bits is_chained;
    auto made = make_or_null<state>();
    s = made ? is_chained.allocate(in.memory, in.iterations)
             : status::out_of_memory;
    if (s == status::ok)
      s = made->begin.reserve(in.memory, in.iterations / 4);
    if (s == status::ok)
      s = made->iterations.reserve(in.memory, in.iterations);
    bool fits = s == status::ok;
    for (index_t c = 0; c < order.cells() && fits; ++c) {
      if (!order.has_conflict(c))
        continue;
      fits = made->begin.append(made->iterations.size());
      for (index_t e = order.cell_begin[c]; e < order.cell_begin[c + 1]; ++e) {
        const index_t i = order.iteration[e];
        if (is_chained[i])
          return status::unsupported;
        is_chained.set(i);
        fits = fits && made->iterations.append(i);
      }
    }
    for (index_t i = 0; i < in.iterations && fits; ++i)
      if (!is_chained[i])
        fits = made->begin.append(made->iterations.size()) &&
               made->iterations.append(i);
    if (!fits || !made->begin.append(made->iterations.size()))
      return status::out_of_memory;
    made->begin.shrink();
    result = std::move(made);
    return status::ok;
  }

  template <class Loop, class Team>
  static status execute(state &s, const Loop &loop, index_t, Team &team) {
    const index_t chains = s.begin.size() - 1;
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

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_CHAINS_HPP
