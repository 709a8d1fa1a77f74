// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// All strategies of the device. A strategy takes part if its header is
/// included before a loop is inspected.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_HPP

#include "cudaopt/levelize/detail/strategies/atomic_reduction.hpp"
#include "cudaopt/levelize/detail/strategies/chains.hpp"
#include "cudaopt/levelize/detail/strategies/device_sequential.hpp"
#include "cudaopt/levelize/detail/strategies/doall.hpp"
#include "cudaopt/levelize/detail/strategies/last_writer.hpp"
#include "cudaopt/levelize/detail/strategies/levels.hpp"
#include "cudaopt/levelize/detail/strategies/ordered_reduction.hpp"
#include "cudaopt/levelize/detail/strategies/owner.hpp"
#include "cudaopt/levelize/detail/strategies/paper_levels.hpp"
#include "cudaopt/levelize/detail/strategies/renaming.hpp"
#include "cudaopt/levelize/detail/strategies/reserve.hpp"
#include "cudaopt/levelize/detail/strategies/tickets.hpp"

#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_HPP
