// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds a host loop in three steps: this file reads the head of a counting
/// loop (HostLoopRange reads those of loops over arrays), HostLoopWalker and
/// HostLoopValues read the body, and finish() here completes what is known of
/// the arrays.
///
/// Text and IR (LoopView) check each other. The text says which expressions are
/// understood and claims the accesses they make; an access of the IR that no
/// expression claims is hidden in something else, and the loop is refused.
//===----------------------------------------------------------------------===//

#include "HostLoopBuilder.h"
#include "HostCopies.h"
#include "cudaopt/Source/StatementParts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// The most conflict arrays that the runtime handles in one loop.
static constexpr size_t MaxConflictArrays = 8;

/// Refuses the loop for \p Why, unless it is refused already: the first reason
/// is the one to report. Returns false, for use in return statements.
bool HostLoopBuilder::refuse(Reason Why, SourceLocation Loc, StringRef Detail) {
  if (L.isUnderstood())
    L.Refused = {Why, Detail.str(), Loc};
  return false;
}

void HostLoopBuilder::build() {
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(L.Loop))
    L.Body = Range->getBody();
  else
    L.Body = cast<ForStmt>(L.Loop)->getBody();
  if (!checkParts() || !checkView())
    return;
  Variables.read(L, Context, *View);
  if (!readHead() || !visit(L.Body) || !visitTypes())
    return;
  if (IsChanged)
    refuse(Reason::LoopIteratorChanged, L.Loop, L.Iterator.Variable->getName());
  else if (checkHidden())
    finish();
}

/// Refuses the loop for \p Why, but reads the body first: a problem there
/// explains the refusal better.
bool HostLoopBuilder::refuseAfterBody(Reason Why, const Stmt *S,
                                      StringRef Detail) {
  IsInHead = false;
  return visit(L.Body) && refuse(Why, S, Detail);
}

/// Refuses statements that leave \p S before its end; returns true if there is
/// none.
bool HostLoopBuilder::checkJumps(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::BreakStmtClass:
    return refuse(Reason::LoopBreak, S);
  case Stmt::ReturnStmtClass:
    return refuse(Reason::LoopReturn, S);
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
    return refuse(Reason::LoopGoto, S);
  case Stmt::CXXThrowExprClass:
    return refuse(Reason::LoopException, S);
  case Stmt::CallExprClass:
    if (const FunctionDecl *F = cast<CallExpr>(S)->getDirectCallee();
        F && F->isNoReturn())
      return refuse(Reason::LoopImpure, S, F->getNameAsString());
    [[fallthrough]];
  default:
    return llvm::all_of(S->children(), [&](const Stmt *Child) {
      return !Child || checkJumps(Child);
    });
  }
}

/// Checks that the IR has the loop. It has none if no iteration can come to its
/// end and begin another one; then some jump in the body is to blame.
bool HostLoopBuilder::checkView() {
  if (View)
    return true;
  if (!HasIR)
    return refuse(Reason::LoopException, L.Loop);
  return checkJumps(L.Body) &&
         refuse(Reason::LoopStatement, L.Loop, "no run comes to its end");
}

/// Refuses memory accesses and effects of the IR that no expression of the text
/// has claimed.
bool HostLoopBuilder::checkHidden() {
  const ir::Operation *O = View->findUnclaimed();
  if (!O)
    return true;
  const Stmt *Own = View->textOf(*O);
  const Stmt *At = Own ? Own : L.Loop;
  if (O->What == ir::Operation::Store)
    return refuse(Reason::LoopEffect, At);
  return refuse(Reason::LoopExpression, At,
                O->Why.empty() ? "an access" : O->Why);
}

//===----------------------------------------------------------------------===//
// The head
//===----------------------------------------------------------------------===//

/// Checks that a for statement has all parts of its head.
bool HostLoopBuilder::checkParts() {
  const auto *For = dyn_cast<ForStmt>(L.Loop);
  if (!For)
    return true;
  if (!For->getInit())
    return refuse(Reason::LoopHead, L.Loop, "it begins with no value");
  if (!For->getCond() || For->getConditionVariable())
    return refuse(Reason::LoopHead, L.Loop, "it has no bound");
  if (!For->getInc())
    return refuse(Reason::LoopHead, L.Loop, "it has no step");
  return true;
}

/// Returns the variable of `for (T *p = ...)` and `for (auto it = ...)`; null
/// if \p Init declares no pointer or iterator.
static const VarDecl *getPointerVariable(const Stmt *Init) {
  const auto *Declaration = dyn_cast<DeclStmt>(Init);
  const auto *V = Declaration && Declaration->isSingleDecl()
                      ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                      : nullptr;
  const bool IsPointer =
      V && V->getInit() &&
      (V->getType()->isPointerType() || V->getType()->isRecordType());
  return IsPointer ? V : nullptr;
}

bool HostLoopBuilder::readHead() {
  IsInHead = true;
  bool IsRead = false;
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(L.Loop)) {
    IsRead = readRangeFor(Range);
  } else {
    const auto *For = cast<ForStmt>(L.Loop);
    if (const VarDecl *V = getPointerVariable(For->getInit()))
      IsRead = readPointerFor(For, V);
    else
      IsRead = readFirst(For->getInit()) && readCondition(For->getCond()) &&
               readStep(For) && checkWrap(For);
  }
  IsInHead = false;
  return IsRead;
}

/// Reads `T i = First` or `i = First`.
bool HostLoopBuilder::readFirst(const Stmt *Init) {
  HostIterator &I = L.Iterator;
  if (const auto *Declaration = dyn_cast<DeclStmt>(Init)) {
    I.Variable = Declaration->isSingleDecl()
                     ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                     : nullptr;
    I.First = I.Variable ? I.Variable->getInit() : nullptr;
  } else if (const auto *E = dyn_cast<BinaryOperator>(Init);
             E && E->getOpcode() == BO_Assign) {
    std::optional<HostPath> Path = getHostPath(E->getLHS());
    if (Path && Path->isOwnVariable())
      I.Variable = Path->Root;
    I.First = E->getRHS();
    I.IsDeclared = false;
  }
  if (!I.Variable || !I.First)
    return refuse(Reason::LoopHead, Init, "it gives no variable a first value");
  QualType Type = I.Variable->getType();
  if (Type.isVolatileQualified())
    return refuse(Reason::LoopVolatile, Init, I.Variable->getName());
  if (!Type->isIntegerType() || Type->isBooleanType() ||
      Context.getTypeSize(Type) > 64)
    return refuse(Reason::LoopIteratorType, Init, I.Variable->getName());
  if (!I.IsDeclared && View->isLiveOut(I.Variable))
    return refuse(Reason::LoopLiveOut, Init, I.Variable->getName());
  return visitValue(I.First);
}

/// Reads `i < Last`. What is compared is the IR's knowledge; the text only says
/// which operand is the bound.
bool HostLoopBuilder::readCondition(const Expr *Condition) {
  HostIterator &I = L.Iterator;
  const LoopHead &Head = View->head();
  const auto *E = dyn_cast<BinaryOperator>(Condition->IgnoreParens());
  if (!E || !E->isComparisonOp() ||
      !BinaryOperator::isComparisonOp(Head.Compare) || Head.Compare == BO_EQ)
    return refuse(Reason::LoopHead, Condition, "it has no simple bound");
  if (!Head.Counter || !View->isCounterOf(I.Variable))
    return refuseAfterBody(Reason::LoopHead, Condition,
                           "the bound is not compared with the iterator");
  if (Head.Compared.What != ir::Type::Integer || Head.Compared.Bits > 64)
    return refuse(Reason::LoopHead, Condition, "its bound is no integer");
  I.Last = Head.IsBoundFirst ? E->getLHS() : E->getRHS();
  I.Comparison = E->getLHS()->getType();
  I.IncludesLast = Head.Compare == BO_LE || Head.Compare == BO_GE;
  return checkBound(I.Last) && visitValue(I.Last);
}

/// Refuses a bound that reads something the loop may change: an element of an
/// array, a volatile variable, or one with a store in the loop.
bool HostLoopBuilder::checkBoundParts(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (getHostElement(E))
    return refuse(Reason::LoopBound, E, "a[i]");
  if (std::optional<HostPath> Path = getHostPath(E)) {
    if (Path->type().isVolatileQualified())
      return refuse(Reason::LoopVolatile, E, Path->text());
    const bool Stays =
        llvm::all_of(View->accessesAt(E), [&](const LoopAccess &A) {
          return !A.isStore() && View->isInvariant(A.value());
        });
    return Stays || refuse(Reason::LoopBound, E, Path->text());
  }
  for (const Stmt *Child : E->children())
    if (const auto *Part = dyn_cast_or_null<Expr>(Child))
      if (!checkBoundParts(Part))
        return false;
  return true;
}

/// The generated code evaluates the bound \p E once instead of before each
/// iteration, so it must be invariant.
bool HostLoopBuilder::checkBound(const Expr *E) {
  if (!checkBoundParts(E))
    return false;
  return View->isInvariant(View->head().Bound) ||
         refuse(Reason::LoopBound, E,
                Lexer::getSourceText(
                    CharSourceRange::getTokenRange(E->getSourceRange()),
                    Context.getSourceManager(), Context.getLangOpts()));
}

/// Reads the increment. The step is the constant difference of the counter's
/// values, found in the IR, so that `++i`, `i += 2` and `i = i + 1` are alike.
/// It must lead to the bound, and with `!=` must not step over it.
bool HostLoopBuilder::readStep(const ForStmt *For) {
  HostIterator &I = L.Iterator;
  const LoopHead &Head = View->head();
  const Expr *Increment = For->getInc()->IgnoreParens();
  const Expr *Target = getAssigned(Increment);
  std::optional<LoopAccess> Old, New;
  for (const LoopAccess &A : View->accessesTo(View->placeOf(I.Variable)))
    if (Target && contains(Increment, A.where().Node))
      (A.isStore() ? New : Old) = A;
  if (!New || !Target ||
      getAccessKey(New->where().Node) != getAccessKey(Target))
    return refuse(Reason::LoopHead, Increment,
                  "the step does not change the iterator");
  std::optional<llvm::APSInt> Distance =
      Old ? View->distance(Old->value(), New->value()) : std::nullopt;
  if (!Distance || Distance->getSignificantBits() > 31 || Distance->isZero())
    return refuse(Reason::LoopHead, Increment, "the step is no constant");
  I.Step = Distance->extOrTrunc(64).getSExtValue();
  const bool IsUp = Head.Compare == BO_LT || Head.Compare == BO_LE;
  if (Head.Compare != BO_NE && IsUp != (I.Step > 0))
    return refuse(Reason::LoopHead, Increment,
                  "the step leads away from the bound");
  if (Head.Compare == BO_NE && I.Step != 1 && I.Step != -1)
    return refuse(Reason::LoopHead, Increment, "it may step over the bound");
  // With `!=`, an unsigned iterator that starts above its bound wraps around
  // and ends there after all; a narrow one does so although it is compared as
  // int.
  const ir::Type Own = View->value(Head.Counter).Ty;
  if (Head.Compare == BO_NE &&
      (!Head.Compared.IsSigned || !Own.IsSigned || Own.Bits < 32))
    return refuse(Reason::LoopIteratorWraps, Increment, I.Variable->getName());
  // A change of the iterator in the body is reported after the body has been
  // read, which gives the place of the change.
  IsChanged = Old->value() != Head.Counter || New->value() != Head.Next;
  return true;
}

/// The generated code computes the number of iterations in 64 bits as (Last -
/// First) / Step. That is right only if the iterator cannot wrap around before
/// it reaches the bound; this refuses heads where it may.
bool HostLoopBuilder::checkWrap(const ForStmt *For) {
  const HostIterator &I = L.Iterator;
  const LoopHead &Head = View->head();
  const ir::Type Own = View->value(Head.Counter).Ty;
  const auto refuseAt = [&](const Stmt *At) {
    return refuse(Reason::LoopIteratorWraps, At, I.Variable->getName());
  };
  if (!(Own.IsSigned && Own.Bits >= 32) && I.Step != 1 && I.Step != -1)
    return refuseAt(For->getInc());
  // A signed iterator that is compared as an unsigned number counts as expected
  // if it starts at a literal that is not negative, and only grows. A narrow
  // one would wrap to a negative number, which compares as a large one.
  if (Own.IsSigned && !Head.Compared.IsSigned) {
    const ir::Value &First = View->value(Head.First);
    if (First.What != ir::Value::Literal || First.Integer.isNegative() ||
        I.Step < 0 || Own.Bits < 32)
      return refuseAt(For->getCond());
  }
  // `i >= 0` always holds for an unsigned i.
  if (!Own.IsSigned && I.Step < 0 && I.IncludesLast)
    return refuseAt(For->getCond());
  return true;
}

//===----------------------------------------------------------------------===//
// Afterwards
//===----------------------------------------------------------------------===//

/// Returns the length of the outermost dimension of \p A as far as its type
/// tells it, as text; std::nullopt for a pointer.
static std::optional<std::string> findTypedExtent(const HostArray &A,
                                                  const ASTContext &Context) {
  switch (A.Kind) {
  case HostArrayKind::Scalar:
    return "1";
  case HostArrayKind::Container:
    return A.Path.text() + ".size()";
  case HostArrayKind::Array:
    if (const auto *Type = Context.getAsConstantArrayType(A.Path.type()))
      return std::to_string(Type->getZExtSize());
    return std::nullopt;
  case HostArrayKind::Pointer:
    return std::nullopt;
  }
  llvm_unreachable("unknown kind of array");
}

/// Sets the extents of the arrays, from the mark first and from types
/// otherwise, and checks the loop as a whole.
bool HostLoopBuilder::finish() {
  L.View = View;
  for (HostArray &A : L.Arrays) {
    std::string Text = A.Path.text();
    A.Extent = L.Mark.findExtent(Text);
    if (!A.Extent && StringRef(Text).starts_with("this->"))
      A.Extent = L.Mark.findExtent(StringRef(Text).substr(6));
    if (!A.Extent)
      A.Extent = findTypedExtent(A, Context);
  }
  return checkNames() && checkConflicts();
}

/// Checks that every name in the mark is an array of the loop, and that the
/// members of the generated struct, its local variables and the functions
/// copied into it have different names.
bool HostLoopBuilder::checkNames() {
  auto isKnown = [&](StringRef Name) {
    return llvm::any_of(L.Arrays, [&](const HostArray &A) {
      const std::string Whole = A.Path.text();
      StringRef Text = Whole;
      return Text == Name || (Text.consume_front("this->") && Text == Name);
    });
  };
  const SourceLocation Loc = L.Loop->getBeginLoc();
  for (const MarkedExtent &Each : L.Mark.Extents)
    if (!isKnown(Each.Array))
      return refuse(Reason::LoopMarkUnknown, Loc, Each.Array);
  for (const std::string &Name : L.Mark.Reused)
    if (!isKnown(Name))
      return refuse(Reason::LoopMarkUnknown, Loc, Name);
  llvm::StringSet<> Names;
  for (const HostArray &A : L.Arrays)
    if (!Names.insert(A.Name).second)
      return refuse(Reason::LoopSameName, A.Loc, A.Name);
  for (const HostScalar &S : L.Scalars)
    if (S.IsInBody && !Names.insert(S.Name).second)
      return refuse(Reason::LoopSameName, S.Loc, S.Name);
  for (const VarDecl *V : L.Locals)
    if (Names.contains(V->getName()))
      return refuse(Reason::LoopSameName, V->getLocation(), V->getName());
  const VarDecl *Iterator = L.Iterator.Variable;
  if (L.Iterator.Range == HostRange::Value &&
      Names.contains(Iterator->getName()))
    return refuse(Reason::LoopSameName, Loc, Iterator->getName());
  if (std::optional<StringRef> Name = findNameOfCopies(L, Names))
    return refuse(Reason::LoopSameName, Loc, *Name);
  return true;
}

/// Makes each written array a conflict array for now; the levelize pass clears
/// this where it proves that iterations write different elements. Refuses loops
/// that write nothing, too much, or to the range they run over.
bool HostLoopBuilder::checkConflicts() {
  size_t NumConflicts = 0;
  for (HostArray &A : L.Arrays) {
    NumConflicts += A.IsWritten;
    A.IsConflict = A.IsWritten;
    if (A.IsConflict && A.Element->isEnumeralType())
      return refuse(Reason::LoopElement, A.Loc, A.Element.getAsString());
  }
  const HostIterator &I = L.Iterator;
  if (I.Range == HostRange::Value && L.Arrays[I.Array].IsWritten)
    return refuse(Reason::LoopRangeWritten, L.Loop,
                  L.Arrays[I.Array].Path.text());
  if (NumConflicts == 0)
    return refuse(Reason::LoopNoWrite, L.Loop);
  if (NumConflicts > MaxConflictArrays)
    return refuse(Reason::LoopTooManyArrays, L.Loop);
  return true;
}

} // namespace cudaopt
