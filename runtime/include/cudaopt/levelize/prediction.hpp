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

/// By \p s on the device, if the loop has what it needs. Factors are traffic,
/// in accesses to memory for each access of the loop.
inline cost cost_of(strategy s, const loop_facts &f, const device_model &m) {
  const auto accesses = float(f.accesses), levels = float(f.levels);
  const float launch = m.launch_us * 1e-3f;
  const float gather = launch + accesses / m.gathers_per_us * 1e-3f;
  const float atomic = launch + accesses / m.atomics_per_us * 1e-3f;
  const float sort = 6 * launch + 2 * accesses / m.sorted_per_us * 1e-3f;
  auto chain = [&](float hop_us) { return levels * hop_us * 1e-3f; };
  const float order = 2 * gather + sort; // The general inspector.
  const cost tickets{order + 3 * gather,
                     std::max(chain(m.flag_hop_us), 3 * gather)};
  const cost by_level{tickets.inspection + tickets.execution + sort, 0};
  switch (s) {
  case strategy::doall:
    return {2 * atomic, gather};
  case strategy::last_writer:
    return {atomic, 1.5f * gather};
  case strategy::atomic_reduction:
    return {gather, atomic};
  case strategy::ordered_reduction:
    return {order, 2 * gather};
  case strategy::chains:
    return {order, 2 * gather};
  case strategy::owner:
    return {launch, std::max(chain(m.hop_us), 1.5f * gather)};
  case strategy::renaming:
    return {order + 2 * gather, std::max(chain(m.hop_us), 2 * gather)};
  case strategy::tickets:
    return tickets;
  case strategy::levels_cooperative:
    return {by_level.inspection, chain(m.grid_sync_us) + 1.5f * gather};
  case strategy::levels_graph:
    return {by_level.inspection + 2 * chain(m.graph_node_us),
            chain(m.graph_node_us) + 1.5f * gather};
  case strategy::reserve:
    return {0, levels * 10 * launch + 6 * gather};
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
