// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a loop does to the variables that it does not declare.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTVARIABLES_H
#define CUDAOPT_LIB_MODEL_HOSTVARIABLES_H

#include "cudaopt/HostLoops/LoopView.h"
#include "cudaopt/Model/HostLoop.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace cudaopt {

/// What the body of a loop does to a scalar from outside.
enum class HostRole {
  Invariant, ///< Only reads it.
  Reduction, ///< Only updates it, always by the same operation.
  Private,   ///< Gives it a value before it reads it.
  Carried
};

/// The target of `x = v`, `x += v`, `++x`; null for other expressions.
const clang::Expr *getAssigned(const clang::Expr *E);

/// The scalars of one loop.
class HostVariables {
public:
  void read(const HostLoop &L, const clang::ASTContext &Context,
            const LoopView &View);

  /// The role of what \p Name, an expression of the loop, is a name of.
  HostRole roleOf(const clang::Expr *Name) const;

private:
  void collectUpdates(const clang::Stmt *S, const clang::ASTContext &Context);

  const LoopView *View = nullptr;
  /// The names of what an update changes, inside of the update.
  llvm::DenseMap<const clang::Expr *, HostOperation> Updates;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTVARIABLES_H
