// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of a statement that declares `__shared__` variables, taken apart so
/// that each variable can be declared elsewhere.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_STORAGEDECLARATION_H
#define CUDAOPT_SOURCE_STORAGEDECLARATION_H

#include "cudaopt/Source/Edits.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// A statement like `__shared__ float a[8][8], b[64];`.
struct StorageDeclaration {
  const clang::DeclStmt *Statement = nullptr;
  /// The block around the statement.
  const clang::CompoundStmt *Block = nullptr;
  /// The range from its first token to its semicolon.
  clang::CharSourceRange Range;
  /// The text before the first declarator, without `__shared__`: `float `.
  std::string Specifiers;
  struct Declarator {
    const clang::VarDecl *Decl;
    clang::CharSourceRange Range; ///< `a[8][8]`
  };
  llvm::SmallVector<Declarator, 2> Declarators;
};

/// Returns the first token of the statement or declaration that contains
/// \p Loc: attributes may stand in front of what the AST knows of it. \p From
/// must be somewhere before it; only declarations or statements may end in
/// between.
clang::SourceLocation findFirstToken(clang::SourceLocation From,
                                     clang::SourceLocation Loc,
                                     const clang::ASTContext &Context);

/// Finds the statement that declares \p Var in \p Body. Fails if its text
/// cannot be taken apart.
llvm::Expected<StorageDeclaration>
findStorageDeclaration(const clang::VarDecl *Var, const clang::Stmt *Body,
                       clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_STORAGEDECLARATION_H
