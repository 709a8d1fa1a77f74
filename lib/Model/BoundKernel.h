// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The IR of a kernel, bound to one launch.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BOUNDKERNEL_H
#define CUDAOPT_LIB_MODEL_BOUNDKERNEL_H

#include "BoundFunction.h"
#include "cudaopt/Model/KernelCode.h"

namespace cudaopt {

/// A kernel as one launch runs it. Places are given by a statement and the
/// calls that lead to it; what is said of code that no run gets to is what
/// would hold if one did.
class BoundKernel {
public:
  /// \p Code has IR.
  BoundKernel(KernelCode &Code, KernelInstance &Instance);

  /// Where a callee's text is evaluated that no known call runs.
  static constexpr ir::CallPathId Unknown = ~0u;

  /// The integer \p E; nothing if it depends on memory, or has no closed form.
  std::optional<ValueId> valueOf(const clang::Expr *E, ir::CallPathId Path);

  /// Nothing if how control gets to \p S is not known.
  std::optional<Reach> reach(const clang::Stmt *S, ir::CallPathId Path);

  /// The path that \p Call leads to; nothing if the callee is not known.
  std::optional<ir::CallPathId> pathOf(const clang::CallExpr *Call,
                                       ir::CallPathId Path) const;

  /// The paths on which the function with the body \p Body runs that \p Path
  /// is a part of.
  llvm::SmallVector<ir::CallPathId, 2> pathsInto(const clang::Stmt *Body,
                                                 ir::CallPathId Path) const;

  /// True if \p S, on \p Path, may be executed several times.
  bool isLoop(const clang::Stmt *S, ir::CallPathId Path) const;

  /// Instance.Loops[\p Id] is the loop \p S on \p Path; it gets its condition.
  void bind(const clang::Stmt *S, ir::CallPathId Path, LoopId Id);

private:
  BoundFunction &whole();

  KernelCode &Code;
  KernelInstance &Instance;
  BoundFunction Live;
  std::optional<BoundFunction> Whole;
  std::vector<std::tuple<const clang::Stmt *, ir::CallPathId, LoopId>> Loops;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BOUNDKERNEL_H
