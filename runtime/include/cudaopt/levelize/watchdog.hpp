// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Ends the waiting of threads for what never comes: a loop whose slice does
/// not tell the truth must not hang the device. A wait is too long if for the
/// limit no long wait of any thread has ended: chains of iterations may take as
/// long as they do.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_WATCHDOG_HPP
#define CUDAOPT_LEVELIZE_WATCHDOG_HPP

#include "cudaopt/levelize/memory.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// What waiting threads tell each other, in memory of the device.
struct watch_state {
  std::uint64_t progress; ///< When a long wait last ended, by %globaltimer.
  std::uint32_t stalled;  ///< Somebody gave up.
};

/// A kernel's argument. Of \p state `stalled` is 0 before the launch; who waits
/// beyond the limit sets it, and all who wait stop.
struct watchdog {
  watch_state *state = nullptr;
  std::uint64_t limit_ns = 0;
};

__device__ inline std::uint64_t device_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// One wait of one thread, or some that follow each other. Costs an addition a
/// poll, a look at the clock and at the state every 1024.
class patience {
public:
  __device__ explicit patience(const watchdog &w) : Watchdog(w) {}
  patience(const patience &) = delete;
  patience &operator=(const patience &) = delete;
  __device__ ~patience() { ended(); }

  /// The thread goes on. Whoever gives up has made no progress.
  __device__ void ended() {
    if (Begin != 0 && !HasGivenUp)
      store_relaxed(&Watchdog.state->progress, device_ns());
    Begin = 0;
  }

  /// True if the thread must give up.
  __device__ bool is_over() {
    if (++Polls & 1023)
      return false;
    const std::uint64_t now = device_ns();
    const std::uint64_t progress = load_relaxed(&Watchdog.state->progress);
    if (Begin == 0)
      Begin = now;
    const std::uint64_t since = progress > Begin ? progress : Begin;
    if (now > since && now - since > Watchdog.limit_ns)
      store_relaxed(&Watchdog.state->stalled, 1u);
    HasGivenUp = load_relaxed(&Watchdog.state->stalled) != 0;
    return HasGivenUp;
  }

private:
  const watchdog &Watchdog;
  std::uint32_t Polls = 0;
  std::uint64_t Begin = 0;
  bool HasGivenUp = false;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_WATCHDOG_HPP
