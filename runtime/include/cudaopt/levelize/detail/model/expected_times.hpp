// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The times that a loop is expected to take on the host, and on a device with
/// its transfers, from a sample of its slices.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_MODEL_EXPECTED_TIMES_HPP
#define CUDAOPT_LEVELIZE_DETAIL_MODEL_EXPECTED_TIMES_HPP

#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/inspect/loop_sample.hpp"
#include "cudaopt/levelize/detail/inspect/strategy_dispatch.hpp"

namespace cudaopt::detail {

/// Returns true if the host has done all iterations before a device has chosen
/// how: then a sample would take too long, too. The number of accesses is
/// guessed from the first eight iterations.
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

/// The times in ms that compare() tells of, and the strategy that was assumed
/// for the device; as they are where a loop cannot be foreseen.
struct expected_times {
  float host_ms = 0, device_ms = 1e30f;
  strategy expected = strategy::automatic;
};

/// Foresees the times of a loop whose arrays have numbers, as far as possible.
template <class Loop>
void expect_times(const Loop &loop, const extents &arrays, index_t iterations,
                  float transfer_ms, int expected_runs,
                  const device_model &model, expected_times &result) {
  loop_facts facts;
  for (int a = 0; a < arrays.count; ++a)
    facts.data_bytes +=
        std::size_t(arrays.items[a].size) * arrays.items[a].element_bytes;
  const location_map map = map_locations(arrays);
  if (iterations <= 0 || is_hopeless(loop, iterations, map, facts, model) ||
      !estimate_on_host(loop, iterations, map, facts))
    return;
  result.host_ms = host_ms(facts, model);
  strategy_set applicable(strategy::tickets);
  if (facts.levels <= 1)
    applicable.insert(strategy::doall);
  if (is_row_loop<Loop>::value)
    applicable.insert(strategy::owner);
  const float before = choice_ms(model) + transfer_ms;
  for (int s = 1; s < num_strategies; ++s) {
    if (!applicable.contains(strategy(s)))
      continue;
    const float ms =
        before + cost_of(strategy(s), facts, model).of_runs(expected_runs);
    if (ms < result.device_ms) {
      result.device_ms = ms;
      result.expected = strategy(s);
    }
  }
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_MODEL_EXPECTED_TIMES_HPP
