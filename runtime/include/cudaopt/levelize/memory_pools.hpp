// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// keep_memory(): limits how much memory of a device the runtime keeps for
/// plans to come.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_MEMORY_POOLS_HPP
#define CUDAOPT_LEVELIZE_MEMORY_POOLS_HPP

#include "cudaopt/levelize/detail/support/error_state.hpp"
#include "cudaopt/levelize/detail/support/library_pool.hpp"
#include "cudaopt/levelize/status.hpp"

#if CUDAOPT_CUDA

namespace cudaopt {
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
