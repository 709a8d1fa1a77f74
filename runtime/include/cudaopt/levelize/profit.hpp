// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether a loop whose data are on the host is worth its transfers to the
/// device and back: compare() predicts both times from a sample of the loop.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_PROFIT_HPP
#define CUDAOPT_LEVELIZE_PROFIT_HPP

#include "cudaopt/levelize/detail/inspect/numbers.hpp"
#include "cudaopt/levelize/detail/model/expected_times.hpp"
#include "cudaopt/levelize/device_model.hpp"
#include "cudaopt/levelize/options.hpp"

namespace cudaopt {

/// What compare() expects of one execution, in ms.
struct comparison {
  /// On the host in order, by one core, 0 if it was not estimated; and on the
  /// device, with transfers, the choice and a share of the inspection.
  float host_ms = 0, device_ms = 0;
  /// The strategy that was assumed for the device; automatic if none was.
  strategy expected = strategy::automatic;

  /// Returns true if the device is expected to be faster, its transfers
  /// included.
  bool prefers_device() const { return device_ms < host_ms; }
};

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
  detail::expected_times found;
  detail::with_numbers(loop, [&](const auto &numbered, const extents &arrays) {
    detail::expect_times(numbered, arrays, iterations, transfer_ms,
                         wanted.expected_runs, model, found);
    return status::ok;
  });
  return {found.host_ms, found.device_ms, found.expected};
}

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_PROFIT_HPP
