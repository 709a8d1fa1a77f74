// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What strategies of the CPU have in common.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_INSPECTION_HPP
#define CUDAOPT_LEVELIZE_CPU_INSPECTION_HPP

#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/plan.hpp"

namespace cudaopt::detail::cpu {

/// One inspection of `for (i = 0; i < iterations; ++i)`.
struct inspection {
  index_t iterations;
  const location_map &map;
  const options &wanted;
  plan_info &info;
};

/// A strategy on the CPU, like detail::on_device.
template <strategy S> struct on_cpu;

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_INSPECTION_HPP
