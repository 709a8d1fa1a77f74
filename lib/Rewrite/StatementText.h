// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The lines of the statements in a block, for moving statements with their
/// comments.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_STATEMENTTEXT_H
#define CUDAOPT_LIB_REWRITE_STATEMENTTEXT_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// One statement, as whole lines.
struct StatementLines {
  const clang::Stmt *Statement = nullptr;
  /// The blank lines, comments and `#pragma unroll` in front of it.
  llvm::StringRef Front;
  llvm::StringRef Own; ///< The statement, with what follows on its last line.

  /// Returns the `#pragma` lines of Front.
  std::string pragmas() const;
  /// Returns the comments of Front, and the one behind the statement, each on a
  /// line.
  std::string comments() const;
};

/// The lines between two braces. Lines behind the last statement belong to
/// none.
struct BlockLines {
  unsigned Begin = 0,
           End = 0; ///< The range of all statements, as offsets in the file.
  std::vector<StatementLines> Statements;

  /// Returns the lines of \p S; null if it is none of Statements.
  const StatementLines *find(const clang::Stmt *S) const;
};

/// Reads the lines of \p Block. Fails if a line has parts of two statements, if
/// a macro writes a whole statement, or if a preprocessor directive (other than
/// `#pragma unroll`) is between the braces.
llvm::Expected<BlockLines> readBlock(const clang::CompoundStmt *Block,
                                     const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_STATEMENTTEXT_H
