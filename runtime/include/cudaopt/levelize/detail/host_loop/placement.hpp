// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where a rewritten loop runs: what the host and the device reach, and whether
/// copies to the device are worth it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_PLACEMENT_HPP
#define CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_PLACEMENT_HPP

#include "cudaopt/levelize/detail/inspect/device_dispatch.hpp"
#include "cudaopt/levelize/loop_uses.hpp"
#include "cudaopt/levelize/profit.hpp"
#include "cudaopt/levelize/staging.hpp"

namespace cudaopt::detail {

/// Returns true if copies to the device and back are expected to pay.
template <class Loop>
bool pays_copies(const Loop &loop, index_t iterations,
                 std::initializer_list<memory_use> uses, const options &o) {
#if CUDAOPT_CUDA
  const own_errors mine;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return false;
  std::size_t in = 0, out = 0;
  const extents arrays = loop.arrays();
  for (int a = 0; a < arrays.count; ++a)
    in += std::size_t(arrays.items[a].size) * arrays.items[a].element_bytes;
  out = in;
  for (const memory_use &use : uses)
    if (use.is_array) {
      in += use.bytes;
      out += use.is_written ? use.bytes : 0;
    }
  options once = o; // Copies are new each time, so inspections are, too.
  once.expected_runs = 1;
  return compare(loop, iterations, in, out, once).prefers_device();
#else
  (void)loop, (void)iterations, (void)uses, (void)o;
  return false;
#endif
}

/// Returns true if the loop is to run on the device: it has the data, or is to
/// get copies.
template <class Loop>
bool runs_on_device(const Loop &loop, index_t iterations,
                    std::initializer_list<memory_use> uses, const options &o,
                    bool is_resident) {
#if CUDAOPT_CUDA
  if (o.where == backend::cpu || o.force == strategy::sequential)
    return !reach_of(loop.arrays()).host;
  return is_resident || o.where == backend::gpu ||
         reach_of(loop.arrays()).device ||
         pays_copies(loop, iterations, uses, o);
#else
  (void)loop, (void)iterations, (void)uses, (void)o, (void)is_resident;
  return false;
#endif
}

/// Returns true if the caller's own loop could run, too: host code reaches all
/// data.
template <class Loop>
bool runs_on_host(const Loop &loop, std::initializer_list<memory_use> uses) {
#if CUDAOPT_CUDA
  if (!reach_of(loop.arrays()).host)
    return false;
  for (const memory_use &use : uses)
    if (use.is_array && !reach_of(use.data).host)
      return false;
#else
  (void)loop, (void)uses;
#endif
  return true;
}

/// Returns true if all that the loop writes is copied to the device, and back
/// in the end: until then a failure leaves the host's data as they were.
template <class Loop>
bool writes_copies(const Loop &loop, std::initializer_list<memory_use> uses) {
#if CUDAOPT_CUDA
  const extents arrays = loop.arrays();
  for (int a = 0; a < arrays.count; ++a)
    if (reach_of(arrays.items[a].data).device)
      return false;
  for (const memory_use &use : uses)
    if (use.is_written && reach_of(use.data).device)
      return false;
#else
  (void)loop, (void)uses;
#endif
  return true;
}

/// Copies to the device what it does not reach, and sets the pointers of
/// \p loop to the copies.
template <class Loop>
status move_to_device(staging &area, Loop &loop,
                      std::initializer_list<memory_use> uses) {
  const extents arrays = loop.arrays();
  for (int a = 0; a < arrays.count; ++a)
    area.declare(static_cast<char *>(arrays.items[a].data),
                 arrays.items[a].size * index_t(arrays.items[a].element_bytes),
                 transfer::in_out);
  for (const memory_use &use : uses)
    if (use.is_array)
      area.declare(const_cast<char *>(static_cast<const char *>(use.data)),
                   index_t(use.bytes),
                   use.is_written ? transfer::in_out : transfer::in);
  const status s = area.start();
  if (s == status::ok)
    loop.each_pointer([&](auto *&p) { p = area.on_device(p); });
  return s;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_HOST_LOOP_PLACEMENT_HPP
