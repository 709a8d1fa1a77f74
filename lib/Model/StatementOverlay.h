// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the operations of a function's IR stand in the text: for the steps of
/// a kernel, each of which is a statement without a barrier inside. What the
/// text means is the IR's to say; here is only what contains what.
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

/// A statement, as one call path runs it.
struct PathStatement {
  ir::CallPathId Path = 0;
  const clang::Stmt *Statement = nullptr;
  bool operator==(const PathStatement &) const = default;
};

/// Where an operation, or the condition of a branch, stands.
struct TextPlace {
  /// The outermost statement without a barrier inside; or the full expression
  /// that has one, if the operation stands in that, but not in what its calls
  /// run.
  PathStatement At;
  /// True in such a full expression: C++ leaves open which of its parts are
  /// evaluated before the barrier.
  bool IsBesideBarrier = false;
  /// The statements and full expressions around the operation that have
  /// barriers inside, without braces and labels, outermost first. The last one
  /// may be At.
  llvm::SmallVector<PathStatement, 4> Around;
  /// The call of the library that the operation is a part of, which Path makes.
  const clang::Expr *LibraryCall = nullptr;
  ir::CallPathId Path = 0;
};

class StatementOverlay {
public:
  explicit StatementOverlay(const ir::Function &F);

  /// True for a barrier of the whole block that the user's text makes. What the
  /// library does inside of itself is no step.
  bool isBarrier(const ir::Operation &O) const;

  /// Nothing if \p Where has no text in one of the functions.
  std::optional<TextPlace> find(const ir::Anchor &Where) const;

  /// True if \p S stands in a sequence of statements in braces, of the function
  /// itself, so that another one may be written in front of it.
  bool isInSequence(const PathStatement &S) const;

  /// True if C++ orders the evaluation of \p A and \p B, if they are no parts
  /// of one expression.
  bool areSequenced(const ir::Anchor &A, const ir::Anchor &B) const;

  /// True if one of the library's functions is on \p Path, or a destructor,
  /// which runs where nothing stands.
  bool isInLibrary(ir::CallPathId Path) const { return InLibrary[Path]; }
  /// The function that \p Path runs; null if that is not known.
  const clang::FunctionDecl *functionOf(ir::CallPathId Path) const {
    return Functions[Path];
  }

private:
  /// One function on the way to a node: the node, or the call, that stands in
  /// it.
  struct Level {
    ir::CallPathId Path;
    const clang::Stmt *Node;
  };

  llvm::SmallVector<Level, 4> levelsOf(const ir::Anchor &Where) const;
  /// From the body down to \p Node; empty if it does not stand there.
  llvm::SmallVector<const clang::Stmt *, 16> ancestorsOf(const Level &L) const;
  void markBarrier(const ir::Anchor &Where);

  const ir::Function &F;
  std::vector<const clang::FunctionDecl *> Functions; ///< By path.
  std::vector<bool> InLibrary;                        ///< By path.
  mutable llvm::DenseMap<const clang::FunctionDecl *,
                         std::unique_ptr<clang::ParentMap>>
      Parents;
  llvm::DenseSet<std::pair<ir::CallPathId, const clang::Stmt *>> HasBarrier;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_STATEMENTOVERLAY_H
