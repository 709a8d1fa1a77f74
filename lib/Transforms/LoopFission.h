// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops as several loops, one after the other, each with a part of the body.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_LOOPFISSION_H
#define CUDAOPT_LIB_TRANSFORMS_LOOPFISSION_H

#include "cudaopt/Analysis/Dependences.h"
#include "cudaopt/Transforms/Plan.h"

#include <vector>

namespace cudaopt {

/// Conflicts that are taken for none, to see what they are to blame for.
struct Leniency {
  bool Aliases = false, Ordered = false;
};

bool mustKeepOrder(const Effects &A, const Effects &B, Leniency Allowed);

struct LoopPart {
  std::vector<OrderedItem> Items; ///< The body.
  Effects All;                    ///< Of its header, too.
  /// The first iteration relied on a barrier of another part.
  bool WantsBarrierInFront = false;
};

/// The parts of \p S, if it is a loop with barriers whose body has parts that
/// share nothing that is written, so that their iterations have no order; none
/// if it stays one loop. Each part has a barrier wherever the body has one
/// between two of its statements.
///
/// \verbatim
///   for (i) {            for (i) {           for (i) {
///     a = f(u);            a = f(u);           b = f(v);
///     __syncthreads();     __syncthreads();    __syncthreads();
///     u = a;               u = a;              v = b;
///     __syncthreads();     __syncthreads();    __syncthreads();
///     b = f(v);          }                   }
///     __syncthreads();
///     v = b;
///     __syncthreads();
///   }
/// \endverbatim
std::vector<LoopPart> splitLoop(const clang::Stmt *S,
                                const EffectFinder &Finder, Leniency Allowed);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LOOPFISSION_H
