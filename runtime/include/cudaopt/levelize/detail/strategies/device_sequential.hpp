// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::sequential on the device: the loop in order, by one thread. For
/// data that the host does not reach, where nothing else applies, and as the
/// reference of tests.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_DEVICE_SEQUENTIAL_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_DEVICE_SEQUENTIAL_HPP

#include "cudaopt/levelize/detail/inspect/inspection.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

template <class Loop>
__global__ void run_by_one_thread(Loop loop, index_t iterations) {
  direct_memory memory;
  for (index_t i = 0; i < iterations; ++i)
    loop.body(i, memory);
}

/// Does not check indices: nothing is known of slices.
template <> struct on_device<strategy::sequential> {
  struct state : plan_state {
    std::size_t bytes() const override { return 0; }
  };
  template <class Loop> static constexpr bool applies = true;

  template <class Loop>
  static status inspect(inspection &in, const Loop &,
                        std::unique_ptr<plan_state> &result) {
    result = std::make_unique<state>();
    return expect_code(in.memory, run_by_one_thread<Loop>);
  }
  template <class Loop>
  static status execute(state &, const Loop &loop, index_t iterations,
                        stream s) {
    run_by_one_thread<<<1, 1, 0, s>>>(loop, iterations);
    return cudaPeekAtLastError() == cudaSuccess ? status::ok
                                                : status::cuda_error;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_DEVICE_SEQUENTIAL_HPP
