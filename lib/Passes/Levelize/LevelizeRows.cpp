// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recognises row loops (RowForm). In the generated code their iterators are 64
/// bits wide; so a loop qualifies only if no value in it depends on the width
/// of an iterator, by wrapping around at 32 bits or by overload resolution.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Levelize/Levelize.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cudaopt {

/// Returns true if \p V occurs in \p S.
static bool mentions(const Stmt *S, const VarDecl *V) {
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    return Use->getDecl() == V;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && mentions(Child, V);
  });
}

/// Returns true if \p E is \p V itself.
static bool isVariable(const Expr *E, const VarDecl *V) {
  const auto *Use = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Use && Use->getDecl() == V;
}

/// Returns true if the value of \p S does not depend on the width of an
/// iterator.
static bool isWidthless(const HostLoop &L, const Stmt *S,
                        const ASTContext &Context) {
  // Calls may be overloaded; only a container's operator[] surely takes 64
  // bits whatever it is given.
  if (isa<BreakStmt, ContinueStmt, ForStmt, WhileStmt, DoStmt>(S) ||
      (isa<CallExpr>(S) && !L.findAccess(S)))
    return false;
  if (const auto *E = dyn_cast<Expr>(S))
    if (!E->getType().isNull() && E->getType()->isUnsignedIntegerType() &&
        Context.getTypeSize(E->getType()) < 64 && !isa<DeclRefExpr>(E) &&
        !E->getType()->isBooleanType())
      return false;
  return llvm::all_of(S->children(), [&](const Stmt *Child) {
    return !Child || isWidthless(L, Child, Context);
  });
}

/// Returns true if \p S accesses a conflict array.
static bool hasConflict(const HostLoop &L, const Stmt *S) {
  return L.findConflict(S) ||
         llvm::any_of(S->children(), [&](const Stmt *Child) {
           return Child && hasConflict(L, Child);
         });
}

/// Returns the variable if \p S is `T sum = ...;`, T the type \p Element, and
/// the initializer accesses no conflict array; null otherwise.
static const VarDecl *getSum(const HostLoop &L, const Stmt *S, QualType Element,
                             const ASTContext &Context) {
  const auto *Declaration = dyn_cast<DeclStmt>(S);
  if (!Declaration || !Declaration->isSingleDecl())
    return nullptr;
  const auto *V = dyn_cast<VarDecl>(Declaration->getSingleDecl());
  const bool IsSum = V && V->getInit() && V->getInitStyle() == VarDecl::CInit &&
                     !V->getType().isConstQualified() &&
                     Context.hasSameType(V->getType(), Element) &&
                     !hasConflict(L, V->getInit());
  return IsSum ? V : nullptr;
}

/// Fills in the inner loop of \p Row from \p S. Returns false if S has not the
/// form `for (int K = ...; K < End; ++K)`.
static bool readTerms(const HostLoop &L, const Stmt *S, RowForm &Row) {
  Row.Terms = dyn_cast<ForStmt>(S);
  const auto *Init =
      Row.Terms ? dyn_cast_or_null<DeclStmt>(Row.Terms->getInit()) : nullptr;
  if (!Init || !Init->isSingleDecl())
    return false;
  Row.K = dyn_cast<VarDecl>(Init->getSingleDecl());
  const auto *Bound = dyn_cast_or_null<BinaryOperator>(Row.Terms->getCond());
  const auto *Step = dyn_cast_or_null<UnaryOperator>(Row.Terms->getInc());
  if (!Row.K || !Row.K->getInit() || !Bound || !Step ||
      !Row.K->getType()->isSignedIntegerType() || Bound->getOpcode() != BO_LT ||
      !isVariable(Bound->getLHS(), Row.K) ||
      !Bound->getLHS()->getType()->isSignedIntegerType() ||
      !Step->isIncrementOp() || !isVariable(Step->getSubExpr(), Row.K))
    return false;
  Row.End = Bound->getRHS();
  return !mentions(Row.End, Row.Sum) && !mentions(Row.End, Row.K) &&
         !mentions(Row.K->getInit(), Row.Sum) && !hasConflict(L, Row.End) &&
         !hasConflict(L, Row.K->getInit());
}

/// Returns true if \p S assigns to \p V.
static bool assigns(const Stmt *S, const VarDecl *V) {
  if (const auto *E = dyn_cast<BinaryOperator>(S);
      E && E->isAssignmentOp() && isVariable(E->getLHS(), V))
    return true;
  if (const auto *E = dyn_cast<UnaryOperator>(S);
      E && E->isIncrementDecrementOp() && isVariable(E->getSubExpr(), V))
    return true;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && assigns(Child, V);
  });
}

/// Returns true if every execution of \p S evaluates \p Ref.
static bool isAlwaysEvaluated(const Stmt *S, const Expr *Ref) {
  if (S == Ref)
    return true;
  if (const auto *If = dyn_cast<IfStmt>(S))
    return isAlwaysEvaluated(If->getCond(), Ref);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(S))
    return isAlwaysEvaluated(Choice->getCond(), Ref);
  if (const auto *Logical = dyn_cast<BinaryOperator>(S);
      Logical && Logical->isLogicalOp())
    return isAlwaysEvaluated(Logical->getLHS(), Ref);
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && isAlwaysEvaluated(Child, Ref);
  });
}

/// Returns true if the runtime may read the source element of every term, also
/// where a guard of the term skips it: there the index of the element might be
/// out of bounds. That is safe if the source is read unconditionally, if its
/// index is K, or if it is B[K] and B[K] of the same array is read
/// unconditionally.
static bool isReadAnyway(const HostLoop &L, const RowForm &Row) {
  const Stmt *Term = Row.Terms->getBody();
  if (isAlwaysEvaluated(Term, Row.Source->Ref))
    return true;
  const Expr *Place = Row.Source->getOnlySubscript();
  const HostAccess *Index = L.findAccess(Place->IgnoreParenImpCasts());
  const Expr *Inner = Index ? Index->getOnlySubscript() : nullptr;
  if (!Inner || !isVariable(Inner, Row.K))
    return isVariable(Place, Row.K);
  return llvm::any_of(L.Accesses, [&](const HostAccess &A) {
    return A.Array == Index->Array && A.getOnlySubscript() &&
           isVariable(A.getOnlySubscript(), Row.K) &&
           isAlwaysEvaluated(Term, A.Ref);
  });
}

/// Finds the only element of x that the terms read. Returns false if there are
/// several or none, or if its index depends on anything but K.
static bool readSource(const HostLoop &L, RowForm &Row) {
  for (const HostAccess &A : L.Accesses) {
    if (A.Array != Row.X || A.Kind != HostAccessKind::Read)
      continue;
    if (Row.Source || !A.getOnlySubscript())
      return false;
    Row.Source = &A;
  }
  if (!Row.Source || !hasConflict(L, Row.Terms->getBody()) ||
      assigns(Row.Terms->getBody(), Row.K))
    return false;
  const Expr *Place = Row.Source->getOnlySubscript();
  return isReadAnyway(L, Row) && !mentions(Place, L.Iterator.Variable) &&
         llvm::none_of(L.Locals, [&](const VarDecl *V) {
           return V != Row.K && mentions(Place, V);
         });
}

std::optional<RowForm> findRowForm(const HostLoop &L,
                                   const ASTContext &Context) {
  const auto *Body = dyn_cast<CompoundStmt>(L.Body);
  const HostIterator &I = L.Iterator;
  if (!Body || Body->size() != 3 || !L.Privates.empty() ||
      I.Range != HostRange::None || (I.Step != 1 && I.Step != -1) ||
      !I.Variable->getType()->isSignedIntegerType())
    return std::nullopt;
  RowForm Row;
  unsigned NumWritten = 0;
  for (HostArrayId Id = 0; Id != L.Arrays.size(); ++Id)
    if (L.Arrays[Id].IsWritten) {
      Row.X = Id;
      ++NumWritten;
    }
  const HostArray &X = L.Arrays[Row.X];
  const Stmt *const *Parts = Body->body_begin();
  Row.Sum = getSum(L, Parts[0], X.Element, Context);
  if (NumWritten != 1 || X.Kind == HostArrayKind::Scalar || !X.Row.empty() ||
      !Row.Sum || !readTerms(L, Parts[1], Row) || !readSource(L, Row))
    return std::nullopt;
  const auto *Store = dyn_cast<BinaryOperator>(Parts[2]);
  const HostAccess *Target =
      Store && Store->getOpcode() == BO_Assign
          ? L.findConflict(Store->getLHS()->IgnoreParens())
          : nullptr;
  if (!Target || !Target->isStored() || !Target->getOnlySubscript() ||
      !isVariable(Target->getOnlySubscript(), I.Variable) ||
      hasConflict(L, Store->getRHS()))
    return std::nullopt;
  Row.Result = Store->getRHS();
  for (const Stmt *S :
       {static_cast<const Stmt *>(Row.Sum->getInit()), Row.Terms->getBody(),
        static_cast<const Stmt *>(Row.K->getInit()),
        static_cast<const Stmt *>(Row.End),
        static_cast<const Stmt *>(Row.Result)})
    if (!isWidthless(L, S, Context))
      return std::nullopt;
  return Row;
}

} // namespace cudaopt
