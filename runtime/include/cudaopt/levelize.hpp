// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs loops with indirect accesses in parallel, with the result of the
/// sequential loop (docs/Runtime.md).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_HPP
#define CUDAOPT_LEVELIZE_HPP

#include "cudaopt/levelize/device_sequential.hpp"
#include "cudaopt/levelize/loop.hpp"
#include "cudaopt/levelize/run.hpp"

#endif // CUDAOPT_LEVELIZE_HPP
