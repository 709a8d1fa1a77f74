// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Host code that computes an extent of a launch in a roundabout way, where
/// types decide what comes out: casts, narrow integers, floating point, wraps,
/// enumerations, variables that change.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_HOSTVALUES_H
#define CUDAOPT_FUZZ_HOSTVALUES_H

#include "Random.h"

#include <string>

namespace cudaopt::fuzz {

struct HostComputation {
  std::string Text;  ///< Statements, each on a line of its own; may be empty.
  std::string Value; ///< An expression, an operand as it is.
};

/// Code whose value is \p Wanted, below 65536, by the rules of the language:
/// its intermediate values are computed here with the same types. Names end in
/// \p Suffix.
HostComputation makeHostValue(unsigned Wanted, unsigned Suffix, Random &R);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_HOSTVALUES_H
