// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counters by which workers tell each other what has ended.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_COUNTERS_HPP
#define CUDAOPT_LEVELIZE_CPU_COUNTERS_HPP

#include "cudaopt/levelize/cpu/team.hpp"

#include <memory>

namespace cudaopt::detail::cpu {

class counters {
public:
  counters() = default;
  explicit counters(index_t size)
      : Words(new std::atomic<index_t>[std::size_t(size)]), Size(size) {
    reset();
  }
  void reset() {
    for (index_t k = 0; k < Size; ++k)
      Words[k].store(0, std::memory_order_relaxed);
  }
  /// What happened before the additions that it sees has happened for the
  /// caller.
  template <class Team> bool wait_for(Team &team, index_t k, index_t need) {
    return wait_until(
        team, [&] { return Words[k].load(std::memory_order_acquire) >= need; });
  }
  template <class Team> void add(Team &team, index_t k) {
    team.step();
    Words[k].fetch_add(1, std::memory_order_release);
  }
  std::size_t bytes() const { return std::size_t(Size) * sizeof(*Words.get()); }

private:
  std::unique_ptr<std::atomic<index_t>[]> Words;
  index_t Size = 0;
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_COUNTERS_HPP
