// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which values and which control flow of a function are the same for all
/// threads of a block, by what is assigned to its locals.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_UNIFORMCONTROL_H
#define CUDAOPT_LIB_MODEL_UNIFORMCONTROL_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

/// Whether all threads of a block have the same value, or take the same way.
enum class Uniformity { Uniform, Unknown, Divergent };

class UniformControl {
public:
  /// What is said of parameters holds for a kernel only: those of other
  /// functions are unknown.
  UniformControl(const clang::FunctionDecl *Function,
                 const clang::ASTContext &Context);

  Uniformity classify(const clang::Expr *E) const;
  /// Of the number of iterations of \p Loop, apart from its condition: of the
  /// ways to its breaks and continues.
  Uniformity classifyExits(const clang::Stmt *Loop) const;

private:
  friend class UniformityWalker;
  /// What is behind an assignment that no way leads around.
  using Region = const clang::Stmt *;

  Uniformity classifyVariable(const clang::DeclRefExpr *Ref) const;
  Uniformity classifyCall(const clang::CallExpr *Call) const;
  Uniformity classifyOperands(const clang::Expr *E) const;

  const clang::ASTContext &Context;
  bool IsKernel;
  llvm::DenseSet<const clang::VarDecl *> Trackable;
  /// In which regions of its variable a reference stands, from the outside in.
  /// It sees what is assigned in the last one, and nothing else.
  llvm::DenseMap<const clang::DeclRefExpr *, llvm::SmallVector<Region, 2>>
      Regions;
  /// What is assigned in a region; in all of the function if that is null.
  llvm::DenseMap<std::pair<const clang::VarDecl *, Region>, Uniformity>
      Variables;
  llvm::DenseMap<const clang::Stmt *, Uniformity> Exits; ///< By loop.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_UNIFORMCONTROL_H
