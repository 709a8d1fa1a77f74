// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Calls the code of a strategy on the device, given its value. A strategy
/// takes part if its header is included before these templates are
/// instantiated. Also: which backend reaches an address.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_DEVICE_DISPATCH_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_DEVICE_DISPATCH_HPP

#include "cudaopt/levelize/detail/inspect/inspection.hpp"
#include "cudaopt/levelize/detail/inspect/strategy_dispatch.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// True if strategy \p S exists on the device and is compiled for \p Loop.
template <strategy S, class Loop, class = void>
struct is_on_device : std::false_type {};
template <strategy S, class Loop>
struct is_on_device<S, Loop, std::void_t<typename on_device<S>::state>>
    : std::bool_constant<considered<Loop>::value.contains(S) &&
                         on_device<S>::template applies<Loop>> {};

template <class Loop>
status inspect_on_device(strategy s, inspection &in, const Loop &loop,
                         std::unique_ptr<plan_state> &result) {
  return with_strategy(s, [&](auto constant) {
    constexpr strategy S = decltype(constant)::value;
    if constexpr (is_on_device<S, Loop>::value)
      return on_device<S>::inspect(in, loop, result);
    else
      return status::unsupported;
  });
}

template <class Loop>
status execute_on_device(strategy s, plan_state &state, const Loop &loop,
                         index_t iterations, stream on) {
  return with_strategy(s, [&](auto constant) {
    constexpr strategy S = decltype(constant)::value;
    if constexpr (is_on_device<S, Loop>::value)
      return on_device<S>::execute(
          static_cast<typename on_device<S>::state &>(state), loop, iterations,
          on);
    else
      return status::unsupported;
  });
}

/// Whether kernels reach an address, and whether host code does.
struct reach {
  bool device = false;
  bool host = false;
};
/// The reach of \p p, by CUDA's word. Both reach null. Memory that CUDA does
/// not know is the host's.
inline reach reach_of(const void *p) {
  const own_errors mine;
  cudaPointerAttributes a;
  if (!p || cudaPointerGetAttributes(&a, p) != cudaSuccess)
    return {p == nullptr, true};
  switch (a.type) {
  case cudaMemoryTypeDevice:
    return {true, false};
  case cudaMemoryTypeManaged:
    return {true, true};
  case cudaMemoryTypeHost: // Pinned.
    return {a.devicePointer == p, true};
  default:
    return {false, true};
  }
}
/// Whether kernels, and host code, reach all arrays.
inline reach reach_of(const extents &arrays) {
  reach all{true, true};
  for (int a = 0; a < arrays.count; ++a) {
    const reach one = reach_of(arrays.items[a].data);
    all.device &= one.device;
    all.host &= one.host;
  }
  return all;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_DEVICE_DISPATCH_HPP
