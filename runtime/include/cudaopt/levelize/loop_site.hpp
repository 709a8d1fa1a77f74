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

#include <atomic>

namespace cudaopt::detail {

/// One for each loop; threads share it. Each member says something that is true
/// by itself, so that they need no order.
class loop_site {
public:
  /// True if the program should run \p iterations over \p pointers: it did so
  /// for as many, and host code can read through all of them, by what was found
  /// out before. One of 1024 such calls gets no answer, so that a wrong one
  /// ends.
  template <class... Pointer>
  bool is_small(index_t iterations, Pointer... pointers) {
    if (iterations > Most.load(std::memory_order_relaxed))
      return false;
    const unsigned calls = Calls.load(std::memory_order_relaxed) + 1;
    Calls.store(calls, std::memory_order_relaxed);
    return calls % 1024 != 0 && are_known(pointers...);
  }

  /// The runtime left \p iterations of \p loop to the program.
  template <class Loop> void learn_small(index_t iterations, Loop &loop) {
    remember(loop);
    if (Most.load(std::memory_order_relaxed) < iterations)
      Most.store(iterations, std::memory_order_relaxed);
  }

  /// The runtime ran \p iterations in parallel.
  void learn_large(index_t iterations) {
    if (Most.load(std::memory_order_relaxed) >= iterations)
      Most.store(iterations - 1, std::memory_order_relaxed);
  }

private:
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
  std::atomic<unsigned> Calls{0};
};

template <class Loop> inline loop_site site_of{};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_LOOP_SITE_HPP
