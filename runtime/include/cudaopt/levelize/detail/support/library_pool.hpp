// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The runtime's own pool of memory on each device. CUDA's default pool gives
/// back to the system at each synchronisation what is free, and then mapping
/// memory costs more than sorting in it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LIBRARY_POOL_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LIBRARY_POOL_HPP

#include "cudaopt/levelize/config.hpp"

#if CUDAOPT_CUDA

#include <atomic>
#include <cstddef>

namespace cudaopt::detail {

/// The pool's first limit: half of the device's memory.
inline std::uint64_t bytes_kept_at_first() {
  std::size_t left = 0, all = 0;
  return cudaMemGetInfo(&left, &all) == cudaSuccess ? all / 2 : 0;
}

/// Makes a pool of \p device; null if the device has none.
inline memory_pool make_pool(int device) {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.location.id = device;
  memory_pool pool = nullptr;
  std::uint64_t kept = bytes_kept_at_first();
  if (cudaMemPoolCreate(&pool, &wanted) == cudaSuccess &&
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) ==
          cudaSuccess)
    return pool;
  (void)cudaGetLastError();
  return nullptr;
}

/// The pool of the current device, made when it is asked for first; null if
/// there is none. It lives as long as its context: at a program's end nothing
/// destroys it, since plans may end later still.
inline memory_pool library_pool() {
  constexpr int most_devices = 64;
  static std::atomic<memory_pool> pools[most_devices];
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device >= most_devices)
    return nullptr;
  memory_pool known = pools[device].load(std::memory_order_acquire);
  if (known)
    return known;
  const memory_pool made = make_pool(device);
  if (!made || pools[device].compare_exchange_strong(known, made))
    return made;
  (void)cudaMemPoolDestroy(made); // Another thread was faster.
  return known;
}

} // namespace cudaopt::detail

#endif

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_LIBRARY_POOL_HPP
