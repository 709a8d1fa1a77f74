// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs loops with indirect accesses in parallel, with the result of the
/// sequential loop (docs/Runtime.md).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_HPP
#define CUDAOPT_LEVELIZE_HPP

#include "cudaopt/levelize/atomic_reduction.hpp"
#include "cudaopt/levelize/calibrate.hpp"
#include "cudaopt/levelize/chains.hpp"
#include "cudaopt/levelize/device_sequential.hpp"
#include "cudaopt/levelize/doall.hpp"
#include "cudaopt/levelize/explain.hpp"
#include "cudaopt/levelize/last_writer.hpp"
#include "cudaopt/levelize/levels.hpp"
#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/ordered_reduction.hpp"
#include "cudaopt/levelize/owner.hpp"
#include "cudaopt/levelize/paper_levels.hpp"
#include "cudaopt/levelize/profit.hpp"
#include "cudaopt/levelize/renaming.hpp"
#include "cudaopt/levelize/reserve.hpp"
#include "cudaopt/levelize/run.hpp"
#include "cudaopt/levelize/saved_plan.hpp"
#include "cudaopt/levelize/staging.hpp"
#include "cudaopt/levelize/tickets.hpp"

#endif // CUDAOPT_LEVELIZE_HPP
