// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The model of a sequential for loop of a host function: its iterator, the
/// arrays it names, which elements of them an iteration accesses, and the
/// values it reads and never changes. It is built from the AST and the IR, and
/// tells the levelize pass whether, and how, the iterations may run in
/// parallel:
///
///     for (int i = 0; i < n; ++i)      Iterator: i, from 0, below n, step 1
///       x[idx[i]] += w * v[i];         Arrays:   x (written), idx, v
///                                      Scalars:  w, n (n in the head only)
///                                      Accesses: read idx[i], v[i];
///                                                update x[idx[i]] by +
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_HOSTLOOPS_HOSTLOOP_H
#define CUDAOPT_HOSTLOOPS_HOSTLOOP_H

#include "cudaopt/HostLoops/HostLoopMark.h"
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

/// A variable, or a field of one, that a host loop names but does not declare:
/// `a`, `a.b.c`, `a->b`, `this->b`.
struct HostPath {
  const clang::VarDecl *Root = nullptr; ///< Null for `this`.
  llvm::SmallVector<const clang::FieldDecl *, 2> Fields;

  bool operator==(const HostPath &) const = default;
  /// The path as the source spells it, `a->b.c`, and as an identifier that a
  /// generated member may have, `a_b_c`.
  std::string text() const;
  std::string name() const;
  clang::QualType type() const; ///< Its type without a reference.
  /// Returns true for a local variable that is no reference: no other object
  /// goes by this name.
  bool isOwnVariable() const;
  /// Returns true if the object itself is declared const, not just the
  /// reference or pointer by which it is named here.
  bool isConstant() const;
};

/// Returns the path that \p E names; std::nullopt if it is no path.
std::optional<HostPath> getHostPath(const clang::Expr *E);

/// How the source declares an array. A Scalar is a variable that the iterations
/// only update (`sum += v`); it is modelled as an array of one element.
enum class HostArrayKind { Pointer, Array, Container, Scalar };

/// An array of the loop, with what the source and the loop's mark tell of its
/// shape.
struct HostArray {
  HostPath Path;
  HostArrayKind Kind = HostArrayKind::Pointer;
  /// The type of an element: a number, or a struct of which only members are
  /// read.
  clang::QualType Element;
  /// The lengths of the inner dimensions of `A[i][j]`, outermost first; empty
  /// for an array of one dimension.
  llvm::SmallVector<uint64_t, 2> Row;
  clang::SourceLocation Loc; ///< The first use in the loop.
  /// The length of the outermost dimension, as an expression that is valid
  /// where the loop stands; std::nullopt if it is not known.
  std::optional<std::string> Extent;
  bool IsWritten = false;
  /// True for a container of thrust, whose data() is a fancy pointer.
  bool IsThrust = false;
  /// True if the rows are built-in arrays, and no std::arrays.
  bool HasPlainRows = true;
  /// True if two iterations may access the same element, so that their order
  /// matters. In a written array that is no conflict array, each element is
  /// stored by one iteration only and read by none.
  bool IsConflict = false;
  std::string Name; ///< The member's name in generated code.

  /// Returns the number of elements of the sub-array that the first
  /// \p NumSubscripts subscripts select: 1 if that is all of them.
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
  std::string Name; ///< The member's name in generated code.
  /// The value is `Path.size()`, not that of Path itself.
  bool IsSize = false;
  /// False if only the head of the loop reads it.
  bool IsInBody = false;
  /// True if a pointer or reference may lead to it, so that a store elsewhere
  /// may change it.
  bool MayBeReached = true;
};

enum class HostAccessKind { Read, Write, Update };
using HostArrayId = unsigned;

/// The read-modify-write operations that the runtime can apply to an element in
/// one step.
enum class HostOperation {
  Plus,
  Minus, ///< Executed by adding the negation.
  Multiplies,
  And,
  Or,
  Xor,
  Minimum, ///< `v < x ? v : x`: the same bits as std::min(x, v).
  Maximum
};

/// An update `x = x op v`, however it is spelled.
struct HostUpdate {
  HostOperation Operation;
  const clang::Expr *Target;
  const clang::Expr *Value; ///< Null for 1, the v of `++x`.
};

/// An access to an element: `A[e]`, `A[e][f]`, alone or as the target of an
/// assignment.
struct HostAccess {
  const clang::Expr *Ref; ///< The expression that names the element.
  HostArrayId Array = 0;
  HostAccessKind Kind = HostAccessKind::Read;
  /// The subscripts, outermost first; a null one is 0. A scalar has none.
  llvm::SmallVector<const clang::Expr *, 2> Subscripts = {};
  /// True if the iteration's number is to be added to the first subscript: the
  /// access is relative to the variable of a loop over the array.
  bool IsAtIteration = false;
  /// The expression to which the IR attaches the access where that is not Ref:
  /// the MemberExpr if only a member of the element is read.
  const clang::Expr *Node = nullptr;
  /// The assignment whose target it is; null for a read.
  const clang::Expr *Assignment = nullptr;
  /// The update, if Kind is Update.
  std::optional<HostUpdate> Update = std::nullopt;

  /// Returns e of `A[e]`; null if the access has more subscripts, or none, or
  /// is relative to the iteration.
  const clang::Expr *getOnlySubscript() const {
    return Subscripts.size() == 1 && !IsAtIteration ? Subscripts[0] : nullptr;
  }
  /// Returns v of `A[e] = v` or `A[e] op= v`; null for 1.
  const clang::Expr *getValue() const;
  /// Returns true if a plain assignment overwrites the element.
  bool isStored() const;
};

/// What the variable of a loop over an array is: none, if it counts integers; a
/// copy of the element; a reference to it; or an iterator or pointer to it.
enum class HostRange { None, Value, Reference, Pointer };

/// The head of a loop, `for (T i = First; i < Last; i += Step)`.
struct HostIterator {
  const clang::VarDecl *Variable = nullptr;
  /// The form of `for (T x : Array)` and `for (T *p = Array; p != ...; ++p)`.
  /// For these the members below describe the iteration's number, which starts
  /// at 0: First is null.
  HostRange Range = HostRange::None;
  HostArrayId Array = 0;
  /// Null First stands for 0; null Last for the bound that Count spells.
  const clang::Expr *First = nullptr, *Last = nullptr;
  int64_t Step = 0;
  bool IncludesLast = false; ///< The comparison is `<=` or `>=`.
  /// True if the loop's own head declares Variable.
  bool IsDeclared = true;
  /// The type in which iterator and bound are compared.
  clang::QualType Comparison;
  /// The number of iterations as source text, where there is no Last.
  std::string Count;
};

/// A `#pragma cudaopt levelize ...` directive.
struct HostPragma {
  /// The directive's range, without its line break.
  clang::SourceLocation Begin, End;
  std::string Clauses; ///< The clauses, separated by commas.
};

/// A loop that a mark asks to parallelize, or that is proposed for it. Where
/// Refused is set, the rest may be incomplete.
struct HostLoop {
  const clang::FunctionDecl *Function = nullptr;
  /// The operator() of the innermost lambda around the loop; null if there is
  /// none.
  const clang::FunctionDecl *Lambda = nullptr;
  /// A ForStmt or CXXForRangeStmt; null if a mark stands elsewhere.
  const clang::Stmt *Loop = nullptr;
  const clang::Stmt *Body = nullptr;
  /// The loop with the attribute that marks it; null without one.
  const clang::AttributedStmt *Marked = nullptr;
  /// The pragma that marks the loop, the other form of a mark; null without
  /// one.
  const HostPragma *Pragma = nullptr;
  /// True if the loop stands between braces, not alone as the branch of an if,
  /// say: then statements may be added beside it.
  /// True if the loop stands between braces. Alone, as the branch of an if,
  /// say, it needs new ones when several statements replace it.
  bool IsInBlock = true;
  HostLoopMark Mark;
  HostIterator Iterator;
  std::vector<HostArray> Arrays;
  std::vector<HostScalar> Scalars;
  std::vector<HostAccess> Accesses;
  /// Variables from outside that each iteration assigns before it reads them,
  /// so that every iteration may have a copy of its own (privatization).
  llvm::SmallVector<const clang::VarDecl *, 4> Privates;
  /// Variables that the body declares.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Locals;
  /// Calls of std::min and std::max, which device code has under other names.
  llvm::SmallPtrSet<const clang::CallExpr *, 4> MinMax;
  /// Index into Accesses, by HostAccess::Ref.
  llvm::DenseMap<const clang::Expr *, unsigned> AccessOf;
  /// Index into Scalars, by the expression that reads the value.
  llvm::DenseMap<const clang::Expr *, unsigned> ScalarOf;
  /// Index into Arrays, by the expression that names the array.
  llvm::DenseMap<const clang::Expr *, HostArrayId> ArrayOf;
  /// Updates of the form `if (v < x) x = v;`: maps the if to the assignment.
  llvm::DenseMap<const clang::Stmt *, const clang::Expr *> GuardedUpdates;
  /// Expressions `it - v.begin()` of a loop over v: they are the iteration's
  /// number.
  llvm::SmallPtrSet<const clang::Expr *, 4> Numbers;
  /// Definitions of called functions that only the host has: generated code
  /// gets copies of them for the device.
  llvm::SmallVector<const clang::FunctionDecl *, 4> Copied;
  /// All functions that the loop's text calls but std::min and std::max.
  llvm::SmallVector<const clang::FunctionDecl *, 4> Called;
  /// The loop in the IR; set once the whole body has been understood.
  std::shared_ptr<const LoopView> View;
  /// The first thing that is not understood; std::nullopt if there is none.
  std::optional<Refusal> Refused;

  /// Where the loop begins, or the statement or pragma of a mark that marks no
  /// loop.
  clang::SourceLocation getBeginLoc() const;
  bool isMarked() const { return Marked || Pragma; }
  bool isUnderstood() const { return !Refused; }
  bool isConflict(const HostAccess &A) const {
    return Arrays[A.Array].IsConflict;
  }
  /// Returns the access whose element is \p S; null if it is none.
  const HostAccess *findAccess(const clang::Stmt *S) const {
    const auto *E = llvm::dyn_cast<clang::Expr>(S);
    auto Found = E ? AccessOf.find(E) : AccessOf.end();
    return Found == AccessOf.end() ? nullptr : &Accesses[Found->second];
  }
  /// Returns the access to a conflict array whose element is \p S; null if it
  /// is none.
  const HostAccess *findConflict(const clang::Stmt *S) const {
    const HostAccess *A = findAccess(S);
    return A && isConflict(*A) ? A : nullptr;
  }
  /// Returns the assignment if \p S is a statement `if (v < x) x = v;`; null
  /// otherwise.
  const clang::Expr *findGuardedUpdate(const clang::Stmt *S) const {
    return GuardedUpdates.lookup(S);
  }
  /// Returns true for a variable of which each iteration has its own.
  bool isPrivate(const clang::VarDecl *V) const {
    return Locals.contains(V) || llvm::is_contained(Privates, V);
  }
};

/// Returns the outermost class or linkage specification around the definition
/// of \p F, or \p F itself. Generated structs for its loops go in front of that
/// declaration.
const clang::Decl *getOutermostDecl(const clang::FunctionDecl *F);

/// Which loops are considered: the marked ones only, or others too.
enum class LevelizeChoice { Marked, Propose, Auto };

/// Finds the loops of the host functions of the main file, in the order of the
/// text: those that are marked and, unless \p Choice is Marked, all outermost
/// ones with an indirect access `A[B[i]]`. A loop of a template is found once
/// for each instantiation. \p Errors are the places of clang's errors; a
/// function that contains one has no usable loop. The result refers to
/// \p Pragmas, which must outlive it.
std::vector<HostLoop>
findHostLoops(clang::ASTContext &Context, LevelizeChoice Choice,
              llvm::ArrayRef<clang::SourceLocation> Errors,
              llvm::ArrayRef<HostPragma> Pragmas);

} // namespace cudaopt

#endif // CUDAOPT_HOSTLOOPS_HOSTLOOP_H
