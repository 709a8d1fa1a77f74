// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which strategies are tried for a loop, in what order.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DECISION_HPP
#define CUDAOPT_LEVELIZE_DECISION_HPP

#include "cudaopt/levelize/device_dispatch.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

template <class Loop>
status candidates_on_device(inspection &in, const Loop &,
                            strategy_list &result) {
  if (in.wanted.force != strategy::automatic) {
    result.add(in.wanted.force);
    return status::ok;
  }
  for (strategy s :
       {strategy::doall, strategy::last_writer, strategy::atomic_reduction,
        strategy::ordered_reduction, strategy::chains, strategy::owner,
        strategy::renaming, strategy::tickets, strategy::levels_cooperative,
        strategy::reserve, strategy::sequential})
    result.add(s);
  return status::ok;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DECISION_HPP
