// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The dataflow over tickets: the kernel that runs each iteration when its
/// tickets allow, and the counters of one plan. It runs the loop's bodies
/// (run_body) or computes levels (find_level).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_COUNTERS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_COUNTERS_HPP

#include "cudaopt/levelize/detail/strategies/claims.hpp"
#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"
#include "cudaopt/levelize/detail/strategies/ticket_table.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Runs an iteration of the loop.
template <class Loop> struct run_body {
  Loop loop;
  template <class Number>
  __device__ void operator()(index_t i, const ticket_waits<Number> &) const {
    relaxed_memory memory;
    loop.body(i, memory);
  }
};

/// Calls \p work(i, tickets) for every iteration, when its tickets allow. All
/// lanes of a warp poll once, then those that may run do: no lane spins while
/// another of its warp, for which it may be waiting, could run.
template <class Work, class Number>
__global__ void __launch_bounds__(block_threads)
    run_tickets(Work work, index_t iterations, ticket_view<Number> all,
                std::uint32_t *counters, execution_control *control,
                watchdog guard) {
  __shared__ claimed_iterations claimed;
  claimed.begin();
  for (;;) {
    const index_t base = claimed.take(control);
    if (base >= iterations)
      return;
    const index_t i = base + lane_of_warp();
    bool is_done = i >= iterations;
    ticket_waits<Number> tickets(all, is_done ? base : i);
    spin_backoff wait(guard);
    for (;;) {
      if (!is_done && tickets.are_over(counters)) {
        work(i, tickets);
        tickets.signal(counters);
        is_done = true;
        wait.ended();
      }
      if (__all_sync(~0u, is_done))
        break;
      if (__any_sync(~0u, !is_done && wait.is_over()))
        return;
    }
  }
}

/// The counters of one plan.
class ticket_counters {
public:
  status allocate(inspection &work, index_t size) {
    status s = control_.allocate(work);
    return s == status::ok ? counters_.allocate(work.memory, size) : s;
  }
  /// Runs all iterations. Asynchronous.
  template <class Work, class Number>
  status run(const Work &work, index_t iterations,
             const ticket_view<Number> &all, stream on) {
    if (counters_.size() != 0 &&
        cudaMemsetAsync(counters_.data(), 0, counters_.bytes(), on) !=
            cudaSuccess)
      return status::cuda_error;
    control_.begin(on);
    run_tickets<<<blocks_for(run_tickets<Work, Number>, iterations),
                  block_threads, 0, on>>>(work, iterations, all,
                                          counters_.data(), control_.control(),
                                          control_.guard());
    return launched();
  }
  std::uint32_t *stalled_word() const { return control_.stalled_word(); }
  std::size_t bytes() const { return counters_.bytes() + control_.bytes(); }
  void give_back(scratch &memory) { counters_.give_back(memory); }

private:
  buffer<std::uint32_t> counters_;
  execution control_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_COUNTERS_HPP
