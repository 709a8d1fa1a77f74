// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How threads of a dataflow take iterations. Warps that are resident claim
/// them in the loop's order, so that an iteration waits only for iterations
/// that a running warp has claimed, in whatever order the device starts blocks.
/// With iterations fixed to blocks, one could wait for a block that does not
/// start before it ends.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CLAIMS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CLAIMS_HPP

#include "cudaopt/levelize/detail/inspect/inspection.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// What the threads of one execution share, in memory of the device: executions
/// may be captured and replayed, so that nothing that differs between them,
/// such as the epoch, can be a kernel's argument.
struct execution_control {
  unsigned long long next; ///< The first iteration that no thread has claimed.
  std::uint32_t epoch;     ///< The number of the execution that runs.
  watch_state watch;
};

#if defined(__CUDACC__)
/// Begins the next execution; one thread.
template <class Control> __global__ void begin_execution(Control *control) {
  control->next = 0;
  ++control->epoch;
}

/// Iterations that a block claimed and its warps take, 32 at a time; in shared
/// memory. A block claims as many as it has threads, since atomics of all warps
/// on one word of global memory would take longer than light iterations do.
/// While a part of a batch is not taken, all warps of its block run earlier
/// iterations, so that it will be taken.
class claimed_iterations {
public:
  /// To be called first, by all threads of the block.
  __device__ void begin() {
    if (threadIdx.x == 0) {
      lock_ = 0;
      left_ = 0;
    }
    __syncthreads();
  }
  /// Returns the first of 32 iterations for the calling warp.
  __device__ index_t take(execution_control *control) {
    unsigned long long first = 0;
    if (lane_of_warp() == 0)
      first = take_alone(control);
    return index_t(__shfl_sync(~0u, first, 0));
  }

private:
  __device__ unsigned long long take_alone(execution_control *control) {
    while (atomicCAS(&lock_, 0u, 1u) != 0u) {
    }
    __threadfence_block();
    unsigned long long first;
    if (atomicAdd(&left_, 0u) == 0) {
      first = atomicAdd(&control->next,
                        static_cast<unsigned long long>(blockDim.x));
      atomicExch(&next_, first + warp_lanes);
      atomicExch(&left_, blockDim.x / warp_lanes - 1);
    } else {
      first = atomicAdd(&next_, static_cast<unsigned long long>(warp_lanes));
      atomicSub(&left_, 1u);
    }
    __threadfence_block();
    atomicExch(&lock_, 0u);
    return first;
  }

  unsigned lock_, left_;
  unsigned long long next_;
};
#endif

/// The host's side of an execution_control: one for a plan.
class execution {
public:
  status allocate(inspection &work) {
    limit_ns_ = std::uint64_t(work.wanted.stall_ms ? work.wanted.stall_ms
                                                   : default_stall_ms) *
                1'000'000;
    return control_.allocate_filled(work.memory, 1, 0);
  }
#if defined(__CUDACC__)
  /// To be called before the launch of the kernel that claims.
  void begin(stream s) const {
    begin_execution<<<1, 1, 0, s>>>(control_.data());
  }
#endif
  execution_control *control() const { return control_.data(); }
  watchdog guard() const { return {&control_.data()->watch, limit_ns_}; }
  std::uint32_t *stalled_word() const {
    return control_.data() ? &control_.data()->watch.stalled : nullptr;
  }
  std::size_t bytes() const { return control_.bytes(); }

private:
  static constexpr unsigned default_stall_ms = 10'000;
  buffer<execution_control> control_;
  std::uint64_t limit_ns_ = 0;
};

/// Returns how the last launch by <<<>>> went, and resets CUDA's last error.
inline status launched() {
  return cudaGetLastError() == cudaSuccess ? status::ok : status::cuda_error;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CLAIMS_HPP
