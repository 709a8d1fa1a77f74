// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loop fission: splits a loop with barriers into several loops, one after the
/// other, each with a part of the body. Variables of different parts are then
/// no longer live at the same time, so that they can share bytes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_ORDER_LOOPFISSION_H
#define CUDAOPT_LIB_PASSES_ORDER_LOOPFISSION_H

#include "cudaopt/Analysis/Dependences.h"
#include "cudaopt/Plan/Plan.h"

#include <vector>

namespace cudaopt {

/// Kinds of conflicts to be ignored. Real plans ignore none; explanations of a
/// refusal ignore a kind to find out whether it is what forbids a change.
struct Leniency {
  bool Aliases = false, Ordered = false;
};

/// Returns true if statements with the effects \p A and \p B must keep their
/// order, apart from what \p Allowed ignores.
bool mustKeepOrder(const Effects &A, const Effects &B, Leniency Allowed);

/// One of the loops into which a loop is split.
struct LoopPart {
  std::vector<OrderedItem> Items; ///< The body.
  /// The effects of the header and the body, except on the counter, of which
  /// each part has its own.
  Effects All;
  /// True if a barrier must stand in front of the loop, since in the source the
  /// first iteration of this part followed a barrier of another part.
  bool WantsBarrierInFront = false;
};

/// Splits \p S, if it is a loop with barriers whose body consists of parts that
/// share nothing that is written: then the iterations of different parts have
/// no order. Returns an empty vector if it stays one loop. A part has a barrier
/// wherever the body has one between two of its statements.
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
                                const StatementEffects &AllEffects,
                                Leniency Allowed);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_ORDER_LOOPFISSION_H
