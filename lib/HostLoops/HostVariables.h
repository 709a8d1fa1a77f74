// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The roles that variables from outside play in a host loop: whether a scalar
/// is invariant, a reduction, privatizable, or carries a value from one
/// iteration to the next.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_HOSTLOOPS_HOSTVARIABLES_H
#define CUDAOPT_LIB_HOSTLOOPS_HOSTVARIABLES_H

#include "cudaopt/HostLoops/HostLoop.h"
#include "cudaopt/HostLoops/LoopView.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace cudaopt {

/// What the body of a loop does to a scalar that it does not declare.
enum class HostRole {
  Invariant, ///< It is only read.
  Reduction, ///< It is only updated, always by the same operation.
  Private,   ///< Each iteration assigns it before reading it.
  Carried    ///< An iteration may read what an earlier one has written.
};

/// Returns the target x of `x = v`, `x += v` or `++x`; null for other
/// expressions.
const clang::Expr *getAssigned(const clang::Expr *E);

/// The roles of the scalars of one loop.
class HostVariables {
public:
  void read(const HostLoop &L, const clang::ASTContext &Context,
            const LoopView &View);

  /// Returns the role of the variable that \p Name, an expression of the loop,
  /// names.
  HostRole roleOf(const clang::Expr *Name) const;

private:
  void collectUpdates(const clang::Stmt *S, const clang::ASTContext &Context);

  const LoopView *View = nullptr;
  /// The mentions of an updated variable that belong to its update, with the
  /// update's operation; keys are those of getAccessKey().
  llvm::DenseMap<const clang::Expr *, HostOperation> Updates;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_HOSTLOOPS_HOSTVARIABLES_H
