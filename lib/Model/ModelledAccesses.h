// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the accesses of a kernel's model (Kernel.h) for what the IR executes:
/// by the expression that makes them, and the calls that lead to it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_MODELLEDACCESSES_H
#define CUDAOPT_LIB_MODEL_MODELLEDACCESSES_H

#include "cudaopt/Model/Kernel.h"

#include <map>

namespace cudaopt {

class ModelledAccesses {
public:
  using List = llvm::SmallVector<const Access *, 2>;

  /// \p Instance must outlive the object.
  explicit ModelledAccesses(const KernelInstance &Instance);

  /// Returns the accesses that \p O makes; none if the model does not tell.
  List find(const ir::Operation &O) const;
  /// Returns the accesses of the argument `a[i]` or `&a[i]` of a call that is
  /// made on \p Path.
  List findArgument(const clang::Expr *Argument, ir::CallPathId Path) const;

  /// Returns the accesses whose whole subscript expression is \p Ref, where the
  /// calls of \p Path lead to it.
  List find(const clang::Expr *Ref, ir::CallPathId Path) const;

private:
  const clang::ASTContext &Context;
  std::map<std::pair<const clang::Expr *, ir::CallPathId>, List> ByRef;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_MODELLEDACCESSES_H
