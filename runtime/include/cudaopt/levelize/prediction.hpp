// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What strategies are expected to cost for a loop.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_PREDICTION_HPP
#define CUDAOPT_LEVELIZE_PREDICTION_HPP

#include "cudaopt/levelize/device_model.hpp"
#include "cudaopt/levelize/options.hpp"

#include <algorithm>
#include <cmath>

namespace cudaopt::detail {

/// What is known of a loop before it is inspected.
struct loop_facts {
  index_t iterations = 0, accesses = 0;
  index_t levels = 1;         ///< Estimated.
  std::size_t data_bytes = 0; ///< Of its arrays.
};

/// In ms.
struct cost {
  float inspection = 0, execution = 0;

  float of_runs(int runs) const {
    return inspection / float(std::max(runs, 1)) + execution;
  }
};

/// The loop in order on the host, its data there.
inline float host_ms(const loop_facts &f, const device_model &m) {
  const bool is_far = double(f.data_bytes) > double(m.host_cache_mb) * 1e6;
  return 1e-6f *
         (float(f.accesses) * (is_far ? m.host_far_ns : m.host_near_ns) +
          3.0f * float(f.iterations));
}

/// Until a strategy is chosen.
inline float choice_ms(const device_model &m) {
  return 30 * m.launch_us * 1e-3f;
}

/// By \p s on the device, if the loop has what it needs: kernels, copies and
/// waits, in launches; and traffic, in accesses to memory and sorted pairs for
/// each access of the loop.
inline cost cost_of(strategy s, const loop_facts &f, const device_model &m) {
  const auto accesses = float(f.accesses), levels = float(f.levels);
  const float gather = accesses / m.gathers_per_us * 1e-3f;
  const float atomic = accesses / m.atomics_per_us * 1e-3f;
  const float sort = accesses / m.sorted_per_us * 1e-3f;
  auto launches = [&](float count) { return count * m.launch_us * 1e-3f; };
  auto chain = [&](float hop_us) { return levels * hop_us * 1e-3f; };
  const cost tickets{launches(85) + 1.6f * sort + gather,
                     launches(18) + std::max(chain(m.flag_hop_us), 3 * gather)};
  const float to_levels =
      tickets.inspection + tickets.execution + launches(35) + sort;
  // What looks at all iterations for each level is a risk: it may have more.
  const float rounds = 2 * levels + 2;
  switch (s) {
  case strategy::doall:
    return {launches(14) + 0.8f * gather, launches(4) + 0.5f * gather};
  case strategy::last_writer:
    return {launches(11) + atomic, launches(4) + gather};
  case strategy::atomic_reduction:
    return {launches(13) + gather, launches(4) + atomic};
  case strategy::ordered_reduction:
    return {launches(60) + sort + gather, launches(6) + 2 * gather};
  case strategy::chains:
    return {launches(42) + 0.7f * (sort + gather), launches(5) + 0.6f * gather};
  case strategy::owner:
    return {launches(1),
            launches(2) + std::max(chain(m.hop_us), 1.5f * gather)};
  case strategy::renaming:
    return {launches(70) + 0.7f * sort + 1.2f * gather,
            launches(13) + std::max(chain(m.hop_us), 1.2f * gather)};
  case strategy::tickets:
    return tickets;
  case strategy::levels_cooperative:
    return {to_levels, launches(9) + chain(m.grid_sync_us) + gather};
  case strategy::levels_graph:
    return {to_levels + 3 * chain(m.graph_node_us),
            launches(8) + chain(m.graph_node_us) + 0.9f * gather};
  case strategy::paper_levels:
    return {launches(30) + rounds * (launches(12) + gather),
            rounds * launches(1.5f) + gather};
  case strategy::reserve:
    return {launches(15), rounds * launches(9) + 6 * gather};
  default:
    return {0, 1e30f};
  }
}

/// How many levels \p iterations have if the first `window` of them have
/// `levels`, the first half of those `half_levels`: they grow as they did.
inline index_t extrapolate_levels(index_t half_levels, index_t levels,
                                  index_t window, index_t iterations) {
  if (window <= 1 || window >= iterations || levels <= 1)
    return std::max<index_t>(levels, 1);
  const double growth =
      double(levels) / double(std::max<index_t>(half_levels, 1));
  const double exponent = std::clamp(std::log2(growth), 0.0, 1.0);
  return std::min(
      iterations,
      index_t(double(levels) *
              std::pow(double(iterations) / double(window), exponent)));
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_PREDICTION_HPP
