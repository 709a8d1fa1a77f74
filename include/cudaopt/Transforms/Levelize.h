// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass levelize: which sequential loops of the host become calls of the
/// runtime, which runs their iterations in parallel on the device with the
/// result of the sequential loop, bit for bit (docs/Levelize.md). The runtime
/// orders iterations that access the same elements, by an inspector and an
/// executor; the pass proves where that is not necessary.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_LEVELIZE_H
#define CUDAOPT_TRANSFORMS_LEVELIZE_H

#include "cudaopt/Analysis/LoopRounding.h"
#include "cudaopt/Analysis/LoopSlice.h"
#include "cudaopt/Model/HostLoop.h"

#include <list>

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
  /// Why the loop is left as it is; reason None if it is rewritten or proposed.
  Blocker WhyKept;
  /// The decisions on the same loop in other instantiations of its template.
  std::vector<LevelizeDecision> Instances;

  bool isRewritten() const {
    return WhyKept.Why == Reason::None && !IsProposal;
  }
};

/// Returns \p L as a row loop; std::nullopt if it has another form.
std::optional<RowForm> findRowForm(const HostLoop &L,
                                   const clang::ASTContext &Context);

/// Returns the choice called "marked", "propose" or "auto"; std::nullopt for
/// other names.
std::optional<LevelizeChoice> parseLevelizeChoice(llvm::StringRef Name);

/// The input of a pass over the host's loops.
struct HostPassInput {
  clang::ASTContext &Context;
  const IslContext &Isl;
  LevelizeChoice Choice;
  llvm::ArrayRef<clang::SourceLocation> Errors; ///< Places of clang's errors.
  llvm::ArrayRef<HostPragma> Pragmas;           ///< The marks of the file.
  const FloatingPoint &Floats;
};

/// Decides on the host loops of the main file, in the order of the text. The
/// instantiations of a loop of a template share one decision: they have one
/// text, so that either all are rewritten or none.
std::list<LevelizeDecision> planLevelize(const HostPassInput &In);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_LEVELIZE_H
