// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// calibrate(): measures the costs of a device's steps (device_model), from
/// which the cheapest strategy of a loop is chosen.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CALIBRATE_HPP
#define CUDAOPT_LEVELIZE_CALIBRATE_HPP

#include "cudaopt/levelize/detail/model/calibration.hpp"

#if CUDAOPT_CUDA

namespace cudaopt {

/// Measures what steps cost on a device and its host, once for all later
/// programs: the result is written to CUDAOPT_CACHE_DIR, or else to
/// ~/.cache/cudaopt, where inspections find it. Declared where the compiler
/// compiles CUDA.
///
/// \code{.cpp}
/// int main() {
///   cudaopt::device_model model;
///   const cudaopt::status s = cudaopt::calibrate(0, model);
///   std::printf("%s, %g us a launch\n", cudaopt::name_of(s),
///               double(model.launch_us));
///   return s == cudaopt::status::ok ? 0 : 1;
/// }
/// \endcode
///
/// \param device CUDA's number of the device, from 0. The current device of the
///     thread is the same afterwards.
/// \param m Gets the result; unchanged unless status::ok is returned.
///
/// Returns status::invalid_argument if there is no such device,
/// status::out_of_memory, or status::cuda_error. A cache that cannot be written
/// is no error: later programs then use the numbers of an H200.
///
/// Waits until all is measured, about a second, on a stream of its own. Takes
/// 400 MB of the device, 64 MiB of pinned and 256 MiB of other host memory, all
/// of which it gives back. Nothing else should run on the device or its host
/// meanwhile, another calibration least of all.
inline status calibrate(int device, device_model &m) {
  return detail::with_own_errors(nullptr, [&] {
    return detail::without_throwing(
        [&] { return detail::calibrate_device(device, m); });
  });
}

} // namespace cudaopt

#endif
#endif // CUDAOPT_LEVELIZE_CALIBRATE_HPP
