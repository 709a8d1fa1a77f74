// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the passes decided: the rewriter's only input.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_PLAN_H
#define CUDAOPT_TRANSFORMS_PLAN_H

#include "cudaopt/Transforms/Layout.h"

#include "llvm/ADT/MapVector.h"
#include <string>

namespace cudaopt {

/// Wavefronts of all accesses of a kernel or of an array: per block, summed
/// over warps and iterations, averaged over blocks where they differ.
struct Wavefronts {
  double Before = 0, After = 0, Bound = 0;
  Wavefronts &operator+=(const Wavefronts &Other);
};

/// What is known of how good a layout is.
enum class Certificate {
  None,         ///< The array is kept, and nothing was searched.
  BoundReached, ///< No layout needs fewer wavefronts.
  Exhausted,    ///< All members of the families were counted.
  BestFound,    ///< Some family was searched by descent, or not to its end.
};

/// "bound reached", "exhausted", "best found".
llvm::StringRef getName(Certificate C);

/// What became of one array.
struct LayoutDecision {
  Layout New;      ///< Identity: the array is kept.
  Blocker WhyKept; ///< None if rewritten.
  /// Of the accesses that can be counted, at the widths that the compiler makes
  /// of them.
  Wavefronts Cost;
  /// The same at the widths that the source has.
  Wavefronts SourceCost;
  /// Accesses in some instance that have no number of wavefronts.
  unsigned NumUncounted = 0;
  bool IsExact = true; ///< False if loops were sampled or parameters assumed.
  Certificate Proof = Certificate::None;

  bool isRewritten() const {
    return New.Kind != Layout::Family::Identity;
  }
};

/// What the passes decided for one kernel.
struct Plan {
  llvm::MapVector<ArrayId, LayoutDecision> Layouts;

  void print(const Kernel &K, llvm::raw_ostream &OS) const;
};

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PLAN_H
