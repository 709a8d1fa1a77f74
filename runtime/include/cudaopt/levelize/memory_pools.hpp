// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The runtime's own pool of memory on each device. CUDA's default pool gives
/// back to the system at each synchronisation what is free, and then mapping
/// memory costs more than sorting in it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_MEMORY_POOLS_HPP
#define CUDAOPT_LEVELIZE_MEMORY_POOLS_HPP

#include "cudaopt/levelize/detail/support/error_state.hpp"
#include "cudaopt/levelize/options.hpp"

#if CUDAOPT_CUDA

#include <atomic>

namespace cudaopt {
namespace detail {

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

} // namespace detail

/// Limits how much memory of the current device the runtime keeps that no plan
/// uses any more. At first it is half of the device's memory; 0 gives back all
/// that is free. Declared where the compiler compiles CUDA.
///
/// \code{.cpp}
/// void leave_the_device_to_others() {
///   (void)cudaopt::keep_memory(0);
/// }
/// \endcode
///
/// \param bytes The limit, from now on. More memory than that may be free
///     until the next synchronisation, as with CUDA's release threshold.
///
/// Returns status::unsupported if the device has no memory pools, and
/// status::cuda_error if CUDA refuses. Memory of living plans, and pools of
/// options::pool, are not concerned. Any thread may call it at any time.
///
/// With a limit of 0 each inspection has its memory mapped anew, which takes
/// longer than sorting in it.
inline status keep_memory(std::size_t bytes) {
  return detail::with_own_errors(nullptr, [&] {
    const memory_pool pool = detail::library_pool();
    if (!pool)
      return status::unsupported;
    std::uint64_t kept = bytes;
    const bool is_set =
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) ==
            cudaSuccess &&
        cudaMemPoolTrimTo(pool, bytes) == cudaSuccess;
    return is_set ? status::ok : status::cuda_error;
  });
}

} // namespace cudaopt

#endif
#endif // CUDAOPT_LEVELIZE_MEMORY_POOLS_HPP
