// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the pass levelize decides about one host loop.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLAN_LOOPDECISION_H
#define CUDAOPT_PLAN_LOOPDECISION_H

#include "cudaopt/HostLoops/HostLoop.h"
#include "cudaopt/HostLoops/LoopRounding.h"
#include "cudaopt/HostLoops/LoopSlice.h"

#include <optional>
#include <vector>

namespace cudaopt {

/// A loop of the form that the runtime's row_loop executes, such as a sparse
/// triangular solve: x[i] gets its value at the end of iteration i, from terms
/// that each read one element of x.
///
///   T Sum = ...;  for (int K = ...; K < End; ++K) Term;  x[i] = Result;
struct RowForm {
  HostArrayId X = 0;                     ///< The only array written.
  const clang::VarDecl *Sum = nullptr;   ///< The declaration of Sum.
  const clang::ForStmt *Terms = nullptr; ///< The inner loop.
  const clang::VarDecl *K = nullptr;     ///< Its induction variable.
  const clang::Expr *End = nullptr;      ///< Its bound.
  const HostAccess *Source = nullptr;    ///< The element that a term reads.
  const clang::Expr *Result = nullptr;   ///< The value that x[i] gets.
};

/// The decision on one loop.
struct LevelizeDecision {
  HostLoop Loop;
  LoopSlice Slice;
  LoopRounding Rounding;
  /// True if it is proved that no iteration writes what another one accesses:
  /// the loop needs no inspector.
  bool IsIndependent = false;
  std::optional<RowForm> Row; ///< Set if the loop has the form of a row_loop.
  /// True if the loop is not marked and only proposed (--levelize=propose).
  bool IsProposal = false;
  /// Why the loop is left as it is; std::nullopt if it is rewritten or
  /// proposed.
  std::optional<Refusal> Refused;
  /// The decisions on the same loop in other instantiations of its template.
  std::vector<LevelizeDecision> Instances;

  bool isRewritten() const { return !Refused && !IsProposal; }
};

} // namespace cudaopt

#endif // CUDAOPT_PLAN_LOOPDECISION_H
