// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Ends waits of threads that could never end: a loop whose slice does not name
/// the accesses of its body must not hang the device. A wait is too long if for
/// the limit no long wait of any thread has ended; so chains of iterations may
/// take as long as they do.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_WATCHDOG_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_WATCHDOG_HPP

#include "cudaopt/levelize/detail/support/memory.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// What waiting threads tell each other, in memory of the device.
struct watch_state {
  std::uint64_t progress; ///< When a long wait last ended, by %globaltimer.
  std::uint32_t stalled;  ///< Not 0: some thread gave up.
};

/// A kernel's argument. state->stalled is 0 before the launch; a thread that
/// waits beyond the limit sets it, and all threads that wait stop.
struct watchdog {
  watch_state *state = nullptr;
  std::uint64_t limit_ns = 0;
};

/// The device's clock in ns.
__device__ inline std::uint64_t device_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// One wait of one thread, or several that follow each other. Each poll calls
/// is_over(), which costs an addition, and every 1024th time a look at the
/// clock and at the state.
class spin_backoff {
public:
  __device__ explicit spin_backoff(const watchdog &w) : watchdog_(w) {}
  spin_backoff(const spin_backoff &) = delete;
  spin_backoff &operator=(const spin_backoff &) = delete;
  __device__ ~spin_backoff() { ended(); }

  /// Ends a wait: the thread goes on. One that gave up has made no progress.
  __device__ void ended() {
    if (begin_ != 0 && !has_given_up_)
      store_relaxed(&watchdog_.state->progress, device_ns());
    begin_ = 0;
  }

  /// Returns true if the thread must give up.
  __device__ bool is_over() {
    if (++polls_ & 1023)
      return false;
    const std::uint64_t now = device_ns();
    const std::uint64_t progress = load_relaxed(&watchdog_.state->progress);
    if (begin_ == 0)
      begin_ = now;
    const std::uint64_t since = progress > begin_ ? progress : begin_;
    if (now > since && now - since > watchdog_.limit_ns)
      store_relaxed(&watchdog_.state->stalled, 1u);
    has_given_up_ = load_relaxed(&watchdog_.state->stalled) != 0;
    return has_given_up_;
  }

private:
  const watchdog &watchdog_;
  std::uint32_t polls_ = 0;
  std::uint64_t begin_ = 0;
  bool has_given_up_ = false;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_WATCHDOG_HPP
