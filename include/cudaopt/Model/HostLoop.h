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
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

class LoopView;

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
  /// True for an object that is const itself, not just by this name.
  bool isConstant() const;
};

/// Returns nothing if \p E is no path.
std::optional<HostPath> getHostPath(const clang::Expr *E);

/// Scalar: a variable that the iterations only update, an array of one element.
enum class HostArrayKind { Pointer, Array, Container, Scalar };

struct HostArray {
  HostPath Path;
  HostArrayKind Kind = HostArrayKind::Pointer;
  clang::QualType Element; ///< A number, or a struct of which members are read.
  /// `A[i][j]`: how many elements `A[i]` has, and parts of it; of other arrays
  /// empty.
  llvm::SmallVector<uint64_t, 2> Row;
  clang::SourceLocation Loc;         ///< Of the first use.
  std::optional<std::string> Extent; ///< In `A[i]`s, as text at the loop.
  bool IsWritten = false;
  bool IsThrust = false;    ///< Its data() is no pointer.
  bool HasPlainRows = true; ///< They are no std::arrays.
  /// Iterations may meet at its elements. What is written and is no conflict
  /// array gets each element from one iteration, and is never read.
  bool IsConflict = false;
  std::string Name; ///< Of the member.

  /// The number of elements of what the first \p NumSubscripts lead to.
  uint64_t partSize(size_t NumSubscripts) const {
    uint64_t Size = 1;
    for (uint64_t Length : llvm::ArrayRef(Row).drop_front(NumSubscripts - 1))
      Size *= Length;
    return Size;
  }
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

/// What the runtime can do to an element in one step.
enum class HostOperation {
  Plus,
  Minus, ///< Adds the negation.
  Multiplies,
  And,
  Or,
  Xor,
  Minimum, ///< `v < x ? v : x`, the bits of std::min(x, v).
  Maximum
};

/// `x = x op v`
struct HostUpdate {
  HostOperation Operation;
  const clang::Expr *Target;
  const clang::Expr *Value; ///< Null for 1.
};

/// `A[e]`, `A[e][f]`, or with `op=` around it.
struct HostAccess {
  const clang::Expr *Ref; ///< The element.
  HostArrayId Array = 0;
  HostAccessKind Kind = HostAccessKind::Read;
  /// One for each dimension; null for 0. None for a scalar.
  llvm::SmallVector<const clang::Expr *, 2> Subscripts = {};
  /// The number of the iteration is added to the first one.
  bool IsAtIteration = false;
  /// The expression that the IR has accesses for, if that is not Ref: a member
  /// of it is read, say.
  const clang::Expr *Node = nullptr;
  /// The assignment that it is the left side of; null for a read.
  const clang::Expr *Assignment = nullptr;
  std::optional<HostUpdate> Update =
      std::nullopt; ///< Of an access of that kind.

  /// e in `A[e]`; null for others.
  const clang::Expr *getOnlySubscript() const {
    return Subscripts.size() == 1 && !IsAtIteration ? Subscripts[0] : nullptr;
  }
  /// The value of `A[e] = v` or `A[e] op= v`; null for 1.
  const clang::Expr *getValue() const;
  /// It is written to by a plain assignment.
  bool isStored() const;
};

/// What the variable of a loop over an array is: none, the value of its
/// element, a reference to it, an iterator or pointer to it.
enum class HostRange { None, Value, Reference, Pointer };

/// `for (T i = First; i < Last; i += Step)`
struct HostIterator {
  const clang::VarDecl *Variable = nullptr;
  /// Of `for (T x : Array)` and `for (T *p = Array; p != ...; ++p)`. What
  /// follows tells of the number of the iteration then; First is null, 0.
  HostRange Range = HostRange::None;
  HostArrayId Array = 0;
  const clang::Expr *First = nullptr, *Last = nullptr;
  int64_t Step = 0;
  bool IncludesLast = false;  ///< `<=` or `>=`
  bool IsDeclared = true;     ///< By the loop itself.
  clang::QualType Comparison; ///< The type that the bound is compared in.
  std::string Count;          ///< As text, where there is no Last.
};

/// Where `#pragma cudaopt levelize ...` stands, and its clauses.
struct HostPragma {
  clang::SourceLocation Begin, End; ///< Of the directive, its line break not.
  std::string Clauses;              ///< Separated by commas.
};

struct HostLoop {
  const clang::FunctionDecl *Function = nullptr;
  /// The operator() of the lambda of the function that it stands in.
  const clang::FunctionDecl *Lambda = nullptr;
  const clang::Stmt *Loop = nullptr; ///< A ForStmt or CXXForRangeStmt.
  const clang::Stmt *Body = nullptr;
  const clang::AttributedStmt *Marked = nullptr; ///< Null without a mark.
  const HostPragma *Pragma = nullptr;            ///< Another form of mark.
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
  /// `if (v < x) x = v;`, to the assignment.
  llvm::DenseMap<const clang::Stmt *, const clang::Expr *> GuardedUpdates;
  /// `it - v.begin()`: the number of the iteration.
  llvm::SmallPtrSet<const clang::Expr *, 4> Numbers;
  /// Definitions of the functions of the host alone that it calls: the device
  /// gets copies.
  llvm::SmallVector<const clang::FunctionDecl *, 4> Copied;
  llvm::SmallVector<const clang::FunctionDecl *, 4> Called; ///< All of them.
  std::shared_ptr<const LoopView> View; ///< If all of it is understood.
  Blocker WhyNot;                       ///< None if all of it is understood.

  /// Of the loop, or of what is marked and is none.
  clang::SourceLocation getBeginLoc() const;
  bool isMarked() const { return Marked || Pragma; }
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
  /// The assignment of `if (v < x) x = v;` if \p S is such a statement.
  const clang::Expr *findGuardedUpdate(const clang::Stmt *S) const {
    return GuardedUpdates.lookup(S);
  }
  /// True for a variable that each iteration has for itself.
  bool isPrivate(const clang::VarDecl *V) const {
    return Locals.contains(V) || llvm::is_contained(Privates, V);
  }
};

/// The outermost declaration that holds \p F, the definition as it is written:
/// structs for its loops stand in front of that.
const clang::Decl *getOutermostDecl(const clang::FunctionDecl *F);

/// Where loops are looked for, besides under marks.
enum class LevelizeChoice { Marked, Propose, Auto };

/// The loops of the host functions of the main file in the order of its text:
/// those that are marked and, if \p Choice says so, all outermost ones that
/// access `A[B[i]]`. Those of templates are found once for each instantiation.
std::vector<HostLoop>
findHostLoops(clang::ASTContext &Context, LevelizeChoice Choice,
              llvm::ArrayRef<clang::SourceLocation> Errors,
              llvm::ArrayRef<HostPragma> Pragmas);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_HOSTLOOP_H
