// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The IR of a kernel, live and unreachable code, bound to one launch.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BOUNDKERNEL_H
#define CUDAOPT_LIB_MODEL_BOUNDKERNEL_H

#include "BoundFunction.h"
#include "cudaopt/Model/KernelCode.h"

namespace cudaopt {

/// A kernel as one launch runs it. A place is given by a statement and the
/// calls that lead to it. For unreachable code, values are what they would be
/// if a run got there, and its only guard is 0.
class BoundKernel {
public:
  /// \p Code must have IR.
  BoundKernel(KernelCode &Code, KernelInstance &Instance);

  /// The path of a callee's text that no known call runs.
  static constexpr ir::CallPathId Unknown = ~0u;

  /// Returns the value of the integer \p E; std::nullopt if it depends on
  /// memory, or has no closed form.
  std::optional<ValueId> valueOf(const clang::Expr *E, ir::CallPathId Path);

  /// Returns how threads get to \p S; std::nullopt if that is not known.
  std::optional<Reach> reach(const clang::Stmt *S, ir::CallPathId Path);

  /// Returns the path that \p Call leads to; std::nullopt if the callee is not
  /// known.
  std::optional<ir::CallPathId> pathOf(const clang::CallExpr *Call,
                                       ir::CallPathId Path) const;

  /// Returns the paths, beginning with \p Path, on which the function with the
  /// body \p Body runs.
  llvm::SmallVector<ir::CallPathId, 2> pathsInto(const clang::Stmt *Body,
                                                 ir::CallPathId Path) const;

  /// Returns true if \p S, on \p Path, may be executed several times.
  bool isLoop(const clang::Stmt *S, ir::CallPathId Path) const;

  /// Makes the loop \p S on \p Path the loop Instance.Loops[\p Id], and sets
  /// the condition of that.
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
