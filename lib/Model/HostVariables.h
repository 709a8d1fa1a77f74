// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How a function uses the variables that a loop of it does not declare.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTVARIABLES_H
#define CUDAOPT_LIB_MODEL_HOSTVARIABLES_H

#include "cudaopt/Model/HostLoop.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

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
  void read(const HostLoop &L, const clang::ASTContext &Context);

  HostRole roleOf(const HostPath &Path) const;
  /// True if a pointer or reference to the variable may exist.
  bool mayBeReached(const clang::VarDecl *V) const {
    return Reached.contains(V);
  }
  /// True if code outside of the loop may read the value that \p V has after
  /// it.
  bool isLiveOut(const clang::VarDecl *V) const;

private:
  struct Use {
    HostPath Path;
    bool IsAssigned;
    std::optional<HostUpdate> Update;
  };
  void collectUses(const clang::Stmt *S, const clang::ASTContext &Context);
  void collectReached(const clang::Stmt *S, bool IsValue);
  bool isAssignedFirst(const clang::VarDecl *V) const;

  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Loop = nullptr, *Body = nullptr;
  std::vector<Use> Uses;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Reached;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTVARIABLES_H
