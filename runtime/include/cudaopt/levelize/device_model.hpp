// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The costs of the steps that a device and its host take (device_model).
/// calibrate() measures them; the costs of strategies are made of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DEVICE_MODEL_HPP
#define CUDAOPT_LEVELIZE_DEVICE_MODEL_HPP

namespace cudaopt {

/// Times and rates of a device and its host. All are positive. Until they are
/// measured they are those of an H200 on PCIe 5 and a core of its host.
///
/// \code{.cpp}
/// cudaopt::device_model with_slow_copies() {
///   cudaopt::device_model model;
///   model.to_device_gb_s = model.to_host_gb_s = 12; // PCIe 3.
///   return model;
/// }
/// \endcode
struct device_model {
  /// From one iteration of a dataflow to the next: by a packed cell, which has
  /// the value and a mark that it is there, and by a counter beside the value.
  float hop_us = 0.29f;
  float flag_hop_us = 0.72f;
  float grid_sync_us = 1.0f;     ///< A barrier of a cooperative kernel.
  float graph_node_us = 0.54f;   ///< A kernel in a graph.
  float launch_us = 2.7f;        ///< A kernel that is launched by itself.
  float gathers_per_us = 44'000; ///< Random reads of the whole device.
  float atomics_per_us = 18'000; ///< Atomics of the whole device, at random.
  float sorted_per_us = 32'000;  ///< Pairs of 32-bit numbers.
  /// Copies of pinned memory, in 10^9 bytes a second.
  float to_device_gb_s = 54, to_host_gb_s = 46;
  float host_near_ns = 1.5f; ///< A host's random access in its caches.
  float host_far_ns = 7.6f;  ///< A host's random access in memory.
  float host_cache_mb = 64;  ///< Larger data are in memory, in 10^6 bytes.
  bool is_measured = false;  ///< The numbers are this device's own.
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_DEVICE_MODEL_HPP
