// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates host code that computes an extent of a launch in a roundabout way,
/// where types decide the result: casts, narrow integers, floating point,
/// wrap-around, enumerations, variables that change. It tests whether cuda-opt
/// evaluates host code as the compiler does.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_HOSTVALUES_H
#define CUDAOPT_FUZZ_HOSTVALUES_H

#include "Random.h"

#include <string>

namespace cudaopt::fuzz {

struct HostComputation {
  std::string Text; ///< Statements, one per line; may be empty.
  /// An expression that can be an operand without parentheses.
  std::string Value;
};

/// Returns code whose value is \p Wanted, which is below 65536. The
/// intermediate values are computed here with the same types. Names end in
/// \p Suffix.
HostComputation makeHostValue(unsigned Wanted, unsigned Suffix, Random &R);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_HOSTVALUES_H
