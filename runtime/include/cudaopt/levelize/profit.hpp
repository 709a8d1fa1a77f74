// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether a loop whose data are on the host is worth its transfers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_PROFIT_HPP
#define CUDAOPT_LEVELIZE_PROFIT_HPP

#include "cudaopt/levelize/loop_sample.hpp"
#include "cudaopt/levelize/strategy_set.hpp"

namespace cudaopt {

/// Of one execution, in ms, transfers and inspection with it.
struct comparison {
  float host_ms = 0, device_ms = 0;
  strategy expected = strategy::automatic; ///< On the device.

  bool prefers_device() const { return device_ms < host_ms; }
};

namespace detail {

/// Whether the host has done all iterations before a device has chosen how:
/// then a sample would take too long, too.
template <class Loop>
bool is_hopeless(const Loop &loop, index_t iterations, const location_map &map,
                 loop_facts facts, const device_model &model) {
  if constexpr (is_self_indexing<Loop>::value) {
    return true;
  } else {
    facts.iterations = iterations;
    facts.accesses = index_t(guess_accesses(loop, iterations, map));
    return host_ms(facts, model) < choice_ms(model);
  }
}

} // namespace detail

/// Looks at a sample of \p loop, over host memory, before anything is copied.
/// \p bytes_in and \p bytes_out go over the bus for each execution. What cannot
/// be foreseen stays on the host.
template <class Loop>
comparison compare(const Loop &loop, index_t iterations, std::size_t bytes_in,
                   std::size_t bytes_out, const options &wanted = {},
                   const device_model &model = detail::current_model()) {
  comparison result;
  result.device_ms = 1e30f;
  const extents arrays = loop.arrays();
  detail::loop_facts facts;
  for (int a = 0; a < arrays.count; ++a)
    facts.data_bytes +=
        std::size_t(arrays.items[a].size) * arrays.items[a].element_bytes;
  const location_map map = map_locations(arrays);
  if (iterations <= 0 ||
      detail::is_hopeless(loop, iterations, map, facts, model) ||
      !detail::estimate_on_host(loop, iterations, map, facts))
    return result;
  result.host_ms = detail::host_ms(facts, model);
  strategy_set applicable(strategy::tickets);
  if (facts.levels <= 1)
    applicable.insert(strategy::doall);
  if (detail::is_row_loop<Loop>::value)
    applicable.insert(strategy::owner);
  const float before = detail::choice_ms(model) +
                       float(bytes_in) * 1e-6f / model.to_device_gb_s +
                       float(bytes_out) * 1e-6f / model.to_host_gb_s;
  for (int s = 1; s < num_strategies; ++s) {
    if (!applicable.contains(strategy(s)))
      continue;
    const float ms = before + detail::cost_of(strategy(s), facts, model)
                                  .of_runs(wanted.expected_runs);
    if (ms < result.device_ms) {
      result.device_ms = ms;
      result.expected = strategy(s);
    }
  }
  return result;
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_PROFIT_HPP
