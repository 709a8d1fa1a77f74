// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Ends the waiting of threads that wait too long: a loop whose slice does not
/// tell the truth must not hang the device.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_WATCHDOG_HPP
#define CUDAOPT_LEVELIZE_WATCHDOG_HPP

#include "cudaopt/levelize/memory.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// A kernel's argument. \p stalled is a word of the device, 0 before the
/// launch; who waits beyond the limit sets it, and all who wait stop.
struct watchdog {
  std::uint32_t *stalled = nullptr;
  std::uint64_t limit_ns = 0;
};

/// One wait of one thread. Costs an addition a poll, a look at the clock and at
/// the word every 1024.
class patience {
public:
  __device__ explicit patience(const watchdog &w) : Watchdog(w) {}

  /// True if the thread must give up.
  __device__ bool is_over() {
    if (++Polls & 1023)
      return false;
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (Begin == 0)
      Begin = now;
    if (now - Begin > Watchdog.limit_ns)
      store_relaxed(Watchdog.stalled, 1u);
    return load_relaxed(Watchdog.stalled) != 0;
  }

private:
  const watchdog &Watchdog;
  std::uint32_t Polls = 0;
  std::uint64_t Begin = 0;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_WATCHDOG_HPP
