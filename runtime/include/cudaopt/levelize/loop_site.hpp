// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a loop of a program has learnt of itself: up to how many iterations it
/// is best run by the program, in place. Programs call short loops very often;
/// they get that answer before anything else is looked at.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_LOOP_SITE_HPP
#define CUDAOPT_LEVELIZE_LOOP_SITE_HPP

#include "cudaopt/levelize/array.hpp"

#include <algorithm>
#include <atomic>

namespace cudaopt::detail {

/// One for each loop; threads share it. Each member says something that is true
/// by itself, so that they need no order.
class loop_site {
public:
  /// True if the program should run \p iterations over \p pointers: it did so
  /// for as many, and host code can read through all of them, by what was found
  /// out before. One such call in a period gets no answer, so that a wrong one
  /// ends.
  template <class... Pointer>
  bool is_small(index_t iterations, Pointer... pointers) {
    if (!CUDAOPT_LIKELY(iterations <= Most.load(std::memory_order_relaxed)))
      return false;
    const int left = Left.load(std::memory_order_relaxed) - 1;
    Left.store(left, std::memory_order_relaxed);
    if (CUDAOPT_LIKELY(left > 0))
      return CUDAOPT_LIKELY(are_known(pointers...));
    begin_period(Period.load(std::memory_order_relaxed));
    return false;
  }

  /// The runtime left \p iterations of \p loop to the program. If it was asked
  /// because a period had ended, the next one is longer.
  template <class Loop> void learn_small(index_t iterations, Loop &loop) {
    remember(loop);
    const int period = Period.load(std::memory_order_relaxed);
    if (Most.load(std::memory_order_relaxed) < iterations)
      Most.store(iterations, std::memory_order_relaxed);
    else if (Left.load(std::memory_order_relaxed) == period)
      begin_period(std::min(2 * period, longest_period));
  }

  /// The runtime ran \p iterations in parallel.
  void learn_large(index_t iterations) {
    begin_period(first_period);
    if (Most.load(std::memory_order_relaxed) >= iterations)
      Most.store(iterations - 1, std::memory_order_relaxed);
  }

private:
  void begin_period(int calls) {
    Period.store(calls, std::memory_order_relaxed);
    Left.store(calls, std::memory_order_relaxed);
  }

#if CUDAOPT_CUDA
  template <class... Pointer> bool are_known(Pointer... pointers) const {
    unsigned k = 0;
    return sizeof...(pointers) <= most_pointers &&
           (... && (Known[k++].load(std::memory_order_relaxed) == pointers));
  }
  template <class Loop> void remember(Loop &loop) {
    unsigned count = 0;
    loop.each_pointer([&](auto *p) {
      if (count < most_pointers)
        Known[count++].store(p, std::memory_order_relaxed);
    });
  }
  static constexpr unsigned most_pointers = 8;
  std::atomic<const volatile void *> Known[most_pointers] = {};
#else
  template <class... Pointer> bool are_known(Pointer...) const { return true; }
  template <class Loop> void remember(Loop &) {}
#endif
  std::atomic<index_t> Most{0};
  static constexpr int first_period = 1024, longest_period = 65536;
  std::atomic<int> Period{first_period}; ///< In calls.
  std::atomic<int> Left{first_period};   ///< Of it.
};

template <class Loop> inline loop_site site_of{};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_LOOP_SITE_HPP
