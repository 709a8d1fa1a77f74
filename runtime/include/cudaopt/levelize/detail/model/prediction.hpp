// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cost model: what strategies are expected to cost for a loop, from the
/// loop's counts (loop_facts) and what steps cost on a device (device_model).
/// It only orders the strategies that apply; a wrong number costs time, never
/// the result.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_MODEL_PREDICTION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_MODEL_PREDICTION_HPP

#include "cudaopt/levelize/detail/model/model_file.hpp"
#include "cudaopt/levelize/options.hpp"

#include <algorithm>
#include <cmath>

namespace cudaopt::detail {

/// What is known of a loop before it is inspected.
struct loop_facts {
  index_t iterations = 0, accesses = 0;
  index_t levels = 1;         ///< Estimated.
  std::size_t data_bytes = 0; ///< The size of its conflict arrays.
};

/// The cost of a strategy, in ms.
struct cost {
  float inspection = 0, execution = 0;

  /// The cost of one of \p runs executions, with its share of the inspection.
  float of_runs(int runs) const {
    return inspection / float(std::max(runs, 1)) + execution;
  }
};

/// The time in ms of the loop in order on the host, whose memory has its data.
inline float host_ms(const loop_facts &f, const device_model &m) {
  const bool is_far = double(f.data_bytes) > double(m.host_cache_mb) * 1e6;
  return 1e-6f *
         (float(f.accesses) * (is_far ? m.host_far_ns : m.host_near_ns) +
          3.0f * float(f.iterations));
}

/// The time in ms until a strategy is chosen on the device.
inline float choice_ms(const device_model &m) {
  return 30 * m.launch_us * 1e-3f;
}

/// The cost of strategy \p s on the device, if the loop has what it needs. It
/// is the sum of kernels, copies and waits, counted in launches, and traffic,
/// counted in accesses to memory and sorted pairs for each access of the loop.
/// A dataflow takes at least its traffic, and at least its longest chain.
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
  // Each round looks at all iterations, and rounds may be more than levels.
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

/// Returns how many levels \p iterations have if the first \p window of them
/// have \p levels, and the first half of those \p half_levels: they go on to
/// grow by the same power of the number of iterations, between constant and
/// linear.
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

#endif // CUDAOPT_LEVELIZE_DETAIL_MODEL_PREDICTION_HPP
