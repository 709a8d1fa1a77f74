// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass levelize: which host loops become calls of the runtime, and how
/// (docs/Levelize.md).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_LEVELIZE_H
#define CUDAOPT_TRANSFORMS_LEVELIZE_H

#include "cudaopt/Analysis/LoopRounding.h"
#include "cudaopt/Analysis/LoopSlice.h"
#include "cudaopt/Model/HostLoop.h"

#include <list>

namespace cudaopt {

/// A loop over rows in the sense of the runtime's row_loop: x[i] gets its value
/// at the end, from terms that each read one element of x.
///
///   T Sum = ...;  for (int K = ...; K < End; ++K) Term;  x[i] = Result;
struct RowForm {
  HostArrayId X = 0;
  const clang::VarDecl *Sum = nullptr;
  const clang::ForStmt *Terms = nullptr;
  const clang::VarDecl *K = nullptr;
  const clang::Expr *End = nullptr;
  const HostAccess *Source = nullptr; ///< The element that a term reads.
  const clang::Expr *Result = nullptr;
};

/// What becomes of one loop.
struct LevelizeDecision {
  HostLoop Loop;
  LoopSlice Slice;
  LoopRounding Rounding;
  bool IsIndependent = false; ///< No two iterations meet.
  std::optional<RowForm> Row;
  /// Not marked; --levelize=propose says so.
  bool IsProposal = false;
  Blocker WhyKept; ///< None if it is rewritten, or proposed.
  /// The same loop in other instantiations of its template.
  std::vector<LevelizeDecision> Instances;

  bool isRewritten() const {
    return WhyKept.Why == Reason::None && !IsProposal;
  }
};

/// Nothing if \p L has another form.
std::optional<RowForm> findRowForm(const HostLoop &L,
                                   const clang::ASTContext &Context);

std::optional<LevelizeChoice> parseLevelizeChoice(llvm::StringRef Name);

/// What a pass of the host's loops looks at.
struct HostPassInput {
  clang::ASTContext &Context;
  const IslContext &Isl;
  LevelizeChoice Choice;
  llvm::ArrayRef<clang::SourceLocation> Errors;
  llvm::ArrayRef<HostPragma> Pragmas;
  const FloatingPoint &Floats;
};

/// Decides on all host loops of the main file.
std::list<LevelizeDecision> planLevelize(const HostPassInput &In);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_LEVELIZE_H
