// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The lines of the statements in a pair of braces.
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

/// One statement; all are whole lines.
struct StatementLines {
  const clang::Stmt *Statement = nullptr;
  llvm::StringRef Front; ///< Blank lines, comments and `#pragma unroll`.
  llvm::StringRef Own;   ///< With what follows on its last line.

  /// The `#pragma` lines of Front.
  std::string pragmas() const;
  /// The comments of Front, and the one behind the statement, each on a line.
  std::string comments() const;
};

/// The lines between two braces. What follows the last statement is in none.
struct BlockLines {
  unsigned Begin = 0, End = 0; ///< Of all statements, in the file.
  std::vector<StatementLines> Statements;

  const StatementLines *find(const clang::Stmt *S) const;
};

/// Fails if a line holds parts of two statements, if a macro writes a statement
/// as a whole, or if a directive of the preprocessor stands between the braces.
llvm::Expected<BlockLines> readBlock(const clang::CompoundStmt *Block,
                                     const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_STATEMENTTEXT_H
