// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the operations of a function's IR stand in the text. A step of a
/// kernel is a statement without a barrier inside; this class finds the
/// statement, through the calls that the IR has spliced in. What the text means
/// is left to the IR; here only the nesting of statements counts.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_STATEMENTOVERLAY_H
#define CUDAOPT_LIB_MODEL_STATEMENTOVERLAY_H

#include "cudaopt/IR/Function.h"

#include "clang/AST/ParentMap.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <optional>

namespace cudaopt {

/// Returns where messages say that \p S is: at the operator of an expression.
/// The location is invalid if \p S is null.
clang::SourceLocation locationOf(const clang::Stmt *S);

/// A statement, as the calls of one path run it.
struct PathStatement {
  ir::CallPathId Path = 0;
  const clang::Stmt *Statement = nullptr;
  bool operator==(const PathStatement &) const = default;
};

/// Where an operation, or the condition of a branch, stands.
struct TextPlace {
  /// The outermost statement around the operation without a barrier inside; or,
  /// if the operation stands beside a barrier in one full expression, that
  /// expression.
  PathStatement At;
  /// True in such a full expression: C++ leaves open which of its parts are
  /// evaluated before the barrier.
  bool IsBesideBarrier = false;
  /// The statements and full expressions around the operation that have
  /// barriers inside, outermost first, without braces and labels. The last one
  /// may be At.
  llvm::SmallVector<PathStatement, 4> Around;
  /// The call of a library function that the operation is a part of, made on
  /// Path; null if there is none.
  const clang::Expr *LibraryCall = nullptr;
  ir::CallPathId Path = 0;
};

/// Maps the operations of one function to its text.
class StatementOverlay {
public:
  explicit StatementOverlay(const ir::Function &F);

  /// Returns true for a barrier of the whole block in the user's text. A
  /// barrier that a library function executes internally makes no step.
  bool isBarrier(const ir::Operation &O) const;

  /// Returns the place of \p Where; std::nullopt if it has no text in one of
  /// the functions.
  std::optional<TextPlace> find(const ir::Anchor &Where) const;

  /// Returns true if \p S is one of several statements in braces, in the
  /// function itself, so that another statement may be written in front of it.
  bool isInSequence(const PathStatement &S) const;

  /// Returns true if C++ orders the evaluations of \p A and \p B: they are not
  /// parts of one expression.
  bool areSequenced(const ir::Anchor &A, const ir::Anchor &B) const;

  /// Returns true if \p Path contains a call of a library function, or of a
  /// destructor, which has no place in the text.
  bool isInLibrary(ir::CallPathId Path) const { return InLibrary[Path]; }
  /// Returns the function that \p Path runs; null if that is not known.
  const clang::FunctionDecl *functionOf(ir::CallPathId Path) const {
    return Functions[Path];
  }

private:
  /// One function on the call path to a node, with the node, or the next call,
  /// that is in it.
  struct Level {
    ir::CallPathId Path;
    const clang::Stmt *Node;
  };

  llvm::SmallVector<Level, 4> levelsOf(const ir::Anchor &Where) const;
  /// From the body down to \p Node; empty if it does not stand there.
  llvm::SmallVector<const clang::Stmt *, 16> ancestorsOf(const Level &L) const;
  void markBarrier(const ir::Anchor &Where);

  const ir::Function &F;
  std::vector<const clang::FunctionDecl *> Functions; ///< Indexed by path.
  std::vector<bool> InLibrary;                        ///< Indexed by path.
  mutable llvm::DenseMap<const clang::FunctionDecl *,
                         std::unique_ptr<clang::ParentMap>>
      Parents;
  llvm::DenseSet<std::pair<ir::CallPathId, const clang::Stmt *>> HasBarrier;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_STATEMENTOVERLAY_H
