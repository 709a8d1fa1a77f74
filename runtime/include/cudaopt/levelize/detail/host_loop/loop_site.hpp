// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the runtime has learnt of a loop of a program: up to how many
/// iterations the program had better run it itself, in place. Programs call
/// short loops very often; they get that answer before anything else is looked
/// at.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_LOOP_SITE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_LOOP_SITE_HPP

#include "cudaopt/levelize/array.hpp"

#include <algorithm>
#include <atomic>

namespace cudaopt::detail {

/// One for each loop; threads share it. All members are relaxed atomics: each
/// says something that is true by itself, so that they need no order, and a
/// lost update only moves the end of a period.
class loop_site {
public:
  /// Returns true if the program should run \p iterations over \p pointers: the
  /// runtime has found so for as many, and that host code can read through all
  /// of them. The last call of each period gets false, so that the runtime is
  /// asked again and a wrong answer ends.
  template <class... Pointer>
  bool is_small(index_t iterations, Pointer... pointers) {
    if (!CUDAOPT_LIKELY(iterations <= most_.load(std::memory_order_relaxed)))
      return false;
    const int left = left_.load(std::memory_order_relaxed) - 1;
    left_.store(left, std::memory_order_relaxed);
    if (CUDAOPT_LIKELY(left > 0))
      return CUDAOPT_LIKELY(are_known(pointers...));
    begin_period(period_.load(std::memory_order_relaxed));
    return false;
  }

  /// Learns that the runtime left \p iterations of \p loop to the program. If
  /// it was asked because a period had ended, the next one is twice as long.
  template <class Loop> void learn_small(index_t iterations, Loop &loop) {
    remember(loop);
    const int period = period_.load(std::memory_order_relaxed);
    if (most_.load(std::memory_order_relaxed) < iterations)
      most_.store(iterations, std::memory_order_relaxed);
    else if (left_.load(std::memory_order_relaxed) == period)
      begin_period(std::min(2 * period, longest_period));
  }

  /// Learns that the runtime ran \p iterations in parallel.
  void learn_large(index_t iterations) {
    begin_period(first_period);
    if (most_.load(std::memory_order_relaxed) >= iterations)
      most_.store(iterations - 1, std::memory_order_relaxed);
  }

private:
  void begin_period(int calls) {
    period_.store(calls, std::memory_order_relaxed);
    left_.store(calls, std::memory_order_relaxed);
  }

#if CUDAOPT_CUDA
  /// Returns true if these are the pointers that learn_small() saw: others may
  /// lead to memory of the device.
  template <class... Pointer> bool are_known(Pointer... pointers) const {
    unsigned k = 0;
    return sizeof...(pointers) <= most_pointers &&
           (... && (known_[k++].load(std::memory_order_relaxed) == pointers));
  }
  template <class Loop> void remember(Loop &loop) {
    unsigned count = 0;
    loop.each_pointer([&](auto *p) {
      if (count < most_pointers)
        known_[count++].store(p, std::memory_order_relaxed);
    });
  }
  static constexpr unsigned most_pointers = 8;
  std::atomic<const volatile void *> known_[most_pointers] = {};
#else
  template <class... Pointer> bool are_known(Pointer...) const { return true; }
  template <class Loop> void remember(Loop &) {}
#endif
  std::atomic<index_t> most_{0}; ///< The most iterations of a short loop.
  static constexpr int first_period = 1024, longest_period = 65536;
  std::atomic<int> period_{first_period}; ///< The period's length, in calls.
  std::atomic<int> left_{first_period};   ///< Calls until the period's end.
};

/// The site of the loop whose struct is \p Loop.
template <class Loop> inline loop_site site_of{};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_LOOP_SITE_HPP
