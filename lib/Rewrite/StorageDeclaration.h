// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of a statement that declares `__shared__` variables, taken apart so
/// that each can be declared elsewhere.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_STORAGEDECLARATION_H
#define CUDAOPT_LIB_REWRITE_STORAGEDECLARATION_H

#include "cudaopt/Rewrite/Edits.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// `__shared__ float a[8][8], b[64];`
struct StorageDeclaration {
  const clang::DeclStmt *Statement = nullptr;
  const clang::CompoundStmt *Block = nullptr; ///< Around the statement.
  clang::CharSourceRange Range; ///< From the first token up to the semicolon.
  /// Its text without `__shared__`, up to the first declarator: `float `.
  std::string Specifiers;
  struct Declarator {
    const clang::VarDecl *Decl;
    clang::CharSourceRange Range; ///< `a[8][8]`
  };
  llvm::SmallVector<Declarator, 2> Declarators;
};

/// The first token of the statement or declaration that \p Loc is in:
/// attributes may stand before what the AST knows of it. Nothing but such ends
/// between \p From and it.
clang::SourceLocation findFirstToken(clang::SourceLocation From,
                                     clang::SourceLocation Loc,
                                     const clang::ASTContext &Context);

/// Finds the statement that declares \p Var in \p Body. Fails if its text
/// cannot be taken apart.
llvm::Expected<StorageDeclaration>
findStorageDeclaration(const clang::VarDecl *Var, const clang::Stmt *Body,
                       clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_STORAGEDECLARATION_H
