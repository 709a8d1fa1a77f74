// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counters by which workers of the CPU tell each other what has ended.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_COUNTERS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_COUNTERS_HPP

#include "cudaopt/levelize/detail/cpu/host_memory.hpp"
#include "cudaopt/levelize/detail/cpu/team.hpp"

namespace cudaopt::detail::cpu {

class counters {
public:
  status allocate(host_scratch &from, index_t size) {
    return words_.allocate(from, size);
  }
  /// Sets all counters to 0. No worker may run.
  void reset() { std::fill(words_.begin(), words_.end(), index_t(0)); }
  /// Waits until counter \p k is at least \p need. Then all that other workers
  /// did before those additions is visible to the caller (acquire). Returns
  /// false if the team gave up.
  template <class Team> bool wait_for(Team &team, index_t k, index_t need) {
    return wait_until(team, [&] {
      return __atomic_load_n(&words_[k], __ATOMIC_ACQUIRE) >= need;
    });
  }
  template <class Team> void add(Team &team, index_t k) {
    team.step();
    __atomic_fetch_add(&words_[k], index_t(1), __ATOMIC_RELEASE);
  }
  std::size_t bytes() const { return words_.bytes(); }

private:
  host_array<index_t> words_;
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_COUNTERS_HPP
