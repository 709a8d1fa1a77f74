// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A sequential for loop of a host function as values: the arrays, which
/// elements of them an iteration accesses, and what else it needs.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_HOSTLOOP_H
#define CUDAOPT_MODEL_HOSTLOOP_H

#include "cudaopt/Model/HostLoopMark.h"
#include "cudaopt/Support/Reason.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// What a host loop names and does not declare: a variable, or a field of one;
/// `a`, `a.b.c`, `a->b`, `this->b`.
struct HostPath {
  const clang::VarDecl *Root = nullptr; ///< Null for `this`.
  llvm::SmallVector<const clang::FieldDecl *, 2> Fields;

  bool operator==(const HostPath &) const = default;
  /// Its name in the source, and one that can be a variable's.
  std::string text() const;
  std::string name() const;
  clang::QualType type() const; ///< Without a reference.
  /// True for a variable that nothing but its name can lead to.
  bool isOwnVariable() const;
};

/// Returns nothing if \p E is no path.
std::optional<HostPath> getHostPath(const clang::Expr *E);

/// Scalar: a variable that the iterations only update, an array of one element.
enum class HostArrayKind { Pointer, Array, Container, Scalar };

struct HostArray {
  HostPath Path;
  HostArrayKind Kind = HostArrayKind::Pointer;
  clang::QualType Element;
  clang::SourceLocation Loc;         ///< Of the first use.
  std::optional<std::string> Extent; ///< In elements, as text at the loop.
  bool IsRead = false, IsWritten = false;
  /// Iterations may meet at its elements. What is written and is no conflict
  /// array gets each element from one iteration, and is never read.
  bool IsConflict = false;
  std::string Name; ///< Of the member.
};

/// A value that the loop reads and never changes.
struct HostScalar {
  HostPath Path;
  clang::SourceLocation Loc;
  std::string Name;         ///< Of the member.
  bool IsSize = false;      ///< `Path.size()`
  bool IsInBody = false;    ///< Else only the head of the loop reads it.
  bool MayBeReached = true; ///< By a pointer or reference.
};

enum class HostAccessKind { Read, Write, Update };
using HostArrayId = unsigned;

/// `A[e]`, or with `op=` around it.
struct HostAccess {
  const clang::Expr *Ref; ///< The element.
  HostArrayId Array;
  HostAccessKind Kind;
  const clang::Expr *Subscript; ///< Null for element 0.
  /// The assignment that it is the left side of; null for a read.
  const clang::Expr *Assignment = nullptr;
};

/// `for (T i = First; i < Last; i += Step)`
struct HostIterator {
  const clang::VarDecl *Variable = nullptr;
  const clang::Expr *First = nullptr, *Last = nullptr;
  int64_t Step = 0;
  bool IncludesLast = false;  ///< `<=` or `>=`
  bool IsDeclared = true;     ///< By the loop itself.
  clang::QualType Comparison; ///< The type that the bound is compared in.
};

struct HostLoop {
  const clang::FunctionDecl *Function = nullptr;
  const clang::ForStmt *Loop = nullptr;
  const clang::AttributedStmt *Marked = nullptr; ///< Null without a mark.
  bool IsInBlock = true; ///< It stands between braces, not alone under an if.
  HostLoopMark Mark;
  HostIterator Iterator;
  std::vector<HostArray> Arrays;
  std::vector<HostScalar> Scalars;
  std::vector<HostAccess> Accesses;
  /// Variables that are declared outside, and that each iteration gives a value
  /// before it reads them.
  llvm::SmallVector<const clang::VarDecl *, 4> Privates;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Locals;
  /// Calls of std::min and std::max, which device code has under other names.
  llvm::SmallPtrSet<const clang::CallExpr *, 4> MinMax;
  llvm::DenseMap<const clang::Expr *, unsigned> AccessOf;   ///< By Ref.
  llvm::DenseMap<const clang::Expr *, unsigned> ScalarOf;   ///< By use.
  llvm::DenseMap<const clang::Expr *, HostArrayId> ArrayOf; ///< Named bases.
  Blocker WhyNot; ///< None if all of it is understood.

  bool isUnderstood() const { return WhyNot.Why == Reason::None; }
  bool isConflict(const HostAccess &A) const {
    return Arrays[A.Array].IsConflict;
  }
  /// The access whose element is \p S; null if it is none.
  const HostAccess *findAccess(const clang::Stmt *S) const {
    const auto *E = llvm::dyn_cast<clang::Expr>(S);
    auto Found = E ? AccessOf.find(E) : AccessOf.end();
    return Found == AccessOf.end() ? nullptr : &Accesses[Found->second];
  }
  /// The same, of a conflict array.
  const HostAccess *findConflict(const clang::Stmt *S) const {
    const HostAccess *A = findAccess(S);
    return A && isConflict(*A) ? A : nullptr;
  }
  /// True for a variable that each iteration has for itself.
  bool isPrivate(const clang::VarDecl *V) const {
    return Locals.contains(V) || llvm::is_contained(Privates, V);
  }
};

/// Where loops are looked for, besides under marks.
enum class LevelizeChoice { Marked, Propose, Auto };

/// The loops of the host functions of the main file in the order of its text:
/// those that are marked and, if \p Choice says so, all outermost ones that
/// access `A[B[i]]`.
std::vector<HostLoop>
findHostLoops(clang::ASTContext &Context, LevelizeChoice Choice,
              llvm::ArrayRef<clang::SourceLocation> Errors);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_HOSTLOOP_H
