// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether a loop whose data are on the host is worth its transfers to the
/// device and back: compare() predicts both times from a sample of the loop.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_PROFIT_HPP
#define CUDAOPT_LEVELIZE_PROFIT_HPP

#include "cudaopt/levelize/detail/inspect/loop_sample.hpp"
#include "cudaopt/levelize/detail/inspect/numbers.hpp"
#include "cudaopt/levelize/detail/inspect/strategy_set.hpp"

namespace cudaopt {

/// What compare() expects of one execution, in ms.
struct comparison {
  /// On the host in order, by one core, 0 if it was not estimated; and on the
  /// device, with transfers, the choice and a share of the inspection.
  float host_ms = 0, device_ms = 0;
  /// The strategy that was assumed for the device; automatic if none was.
  strategy expected = strategy::automatic;

  /// Returns true if the device is expected to be faster.
  bool prefers_device() const { return device_ms < host_ms; }
};

namespace detail {

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

/// Fills in what compare() tells of a loop whose arrays have numbers, as far as
/// it can be foreseen.
template <class Loop>
void compare_numbered(const Loop &loop, const extents &arrays,
                      index_t iterations, float transfer_ms,
                      const options &wanted, const device_model &model,
                      comparison &result) {
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
        before +
        cost_of(strategy(s), facts, model).of_runs(wanted.expected_runs);
    if (ms < result.device_ms) {
      result.device_ms = ms;
      result.expected = strategy(s);
    }
  }
}

} // namespace detail

/// Foresees whether a loop over host memory is worth its copies, before
/// anything is copied.
///
/// \code{.cpp}
/// bool is_worth_it(cudaopt::array<float> A, float *B, const int *w,
///                  const int *r, cudaopt::index_t n) {
///   const scatter loop{{A.data, A.size, 0}, B, w, r}; // A has number 0.
///   const std::size_t a = std::size_t(A.size) * sizeof(float);
///   const std::size_t b = std::size_t(n) * sizeof(float);
///   const std::size_t indices = 2 * std::size_t(n) * sizeof(int);
///   return cudaopt::compare(loop, n, a + indices, a + b).prefers_device();
/// }
/// \endcode
///
/// \param loop A loop whose slices the calling thread can run: it runs at most
///     2056 of them, in four windows that are spread evenly.
/// \param iterations Their number; at 0 and below nothing is foreseen.
/// \param bytes_in The bytes that are copied to the device for each execution.
/// \param bytes_out The bytes that are copied back for each execution.
/// \param wanted Of all options only expected_runs counts: the inspection is
///     shared by so many executions. Transfers are not shared.
/// \param model What steps cost; by default what calibrate() measured for the
///     current device, else the numbers of an H200.
///
/// Returns host_ms, device_ms and the strategy that was assumed. What cannot be
/// foreseen stays on the host, with device_ms = 1e30: a loop that is short or
/// is_self_indexing, an index of the sample out of range, no memory for the
/// sample. There are no errors.
///
/// Modifies nothing, uses no stream, and takes some 30 KB of host memory while
/// it runs. What a slice throws reaches the caller. Several threads may call it
/// at the same time. Reads CUDAOPT_CACHE_DIR or HOME for the default model.
template <class Loop>
comparison compare(const Loop &loop, index_t iterations, std::size_t bytes_in,
                   std::size_t bytes_out, const options &wanted = {},
                   const device_model &model = detail::current_model()) {
  const float transfer_ms = float(bytes_in) * 1e-6f / model.to_device_gb_s +
                            float(bytes_out) * 1e-6f / model.to_host_gb_s;
  comparison result;
  result.device_ms = 1e30f;
  detail::with_numbers(loop, [&](const auto &numbered, const extents &arrays) {
    detail::compare_numbered(numbered, arrays, iterations, transfer_ms, wanted,
                             model, result);
    return status::ok;
  });
  return result;
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_PROFIT_HPP
