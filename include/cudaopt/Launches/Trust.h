// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How far a fact may be believed that a decision rests on.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LAUNCHES_TRUST_H
#define CUDAOPT_LAUNCHES_TRUST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

namespace cudaopt {

/// The levels of trust, from the most reliable one on.
enum class Trust {
  /// Follows from types, from the code of the kernel and from the limits of the
  /// hardware: it holds for every launch that the language allows.
  Proved,
  /// Holds for the launches that are known: those of this file, those of the
  /// scanned program, or what the user says of the block.
  ClosedWorld,
  /// Plausible only. Costs are counted with it, but nothing is proved by it.
  Assumed
};

/// Returns the name in reports: "proved", "closed-world" or "assumed".
inline llvm::StringRef getName(Trust T) {
  switch (T) {
  case Trust::Proved:
    return "proved";
  case Trust::ClosedWorld:
    return "closed-world";
  case Trust::Assumed:
    return "assumed";
  }
  llvm_unreachable("unknown trust");
}

} // namespace cudaopt

#endif // CUDAOPT_LAUNCHES_TRUST_H
