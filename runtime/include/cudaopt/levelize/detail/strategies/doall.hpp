// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::doall: all iterations at once, as one plain kernel. For loops
/// whose caller proved that no two iterations conflict (is_independent), and
/// for those that an inspection found to be so.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_DOALL_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_DOALL_HPP

#include "cudaopt/levelize/detail/inspect/mark_and_check.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    run_all(Loop loop, index_t first, index_t iterations) {
  const index_t i = first + grid_thread();
  if (i < iterations) {
    direct_memory memory;
    loop.body(i, memory);
  }
}

/// Calls \p launch(blocks, threads, first), once or, for more items than a grid
/// has threads, several times, so that there is a thread for each of \p items.
/// \p first is the item of the launch's first thread.
template <class Launch> void for_each_item(index_t items, Launch launch) {
  const int threads = threads_for(items);
  constexpr index_t most_blocks = 0x7fffffff;
  for (index_t first = 0; first < items; first += most_blocks * threads) {
    const index_t blocks = (items - first + threads - 1) / threads;
    launch(unsigned(blocks < most_blocks ? blocks : most_blocks), threads,
           first);
  }
}

template <> struct on_device<strategy::doall> {
  struct state : plan_state {
    std::size_t bytes() const override { return 0; }
  };

  /// Where a slice reads what the loop writes, only the caller's proof counts:
  /// what an inspection finds would hold for one execution alone.
  template <class Loop>
  static constexpr bool applies =
      is_independent<Loop>::value || !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    if constexpr (!is_independent<Loop>::value) {
      const status s = mark_and_check(in, loop);
      if (s != status::ok)
        return s;
    }
    result = std::make_unique<state>();
    return expect_code(in.memory, run_all<Loop>);
  }

  template <class Loop>
  static status execute(state &, const Loop &loop, index_t iterations,
                        stream s) {
    for_each_item(iterations, [&](unsigned blocks, int threads, index_t first) {
      run_all<<<blocks, threads, 0, s>>>(loop, first, iterations);
    });
    return cudaGetLastError() == cudaSuccess ? status::ok : status::cuda_error;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_DOALL_HPP
