// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The head of a host loop, and what is known of its arrays when its body has
/// been read.
//===----------------------------------------------------------------------===//

#include "HostLoopBuilder.h"
#include "HostCopies.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

static constexpr size_t MaxConflictArrays = 8; ///< Of the runtime.

bool HostLoopBuilder::refuse(Reason Why, SourceLocation Loc, StringRef Detail) {
  if (L.isUnderstood())
    L.WhyNot = {Why, Detail.str(), Loc};
  return false;
}

void HostLoopBuilder::build() {
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(L.Loop))
    L.Body = Range->getBody();
  else
    L.Body = cast<ForStmt>(L.Loop)->getBody();
  Variables.read(L, Context);
  if (readHead() && visit(L.Body) && visitTypes())
    finish();
}

//===----------------------------------------------------------------------===//
// The head
//===----------------------------------------------------------------------===//

/// The variable of `for (T *p = ...)` and `for (auto it = ...)`; null for
/// numbers.
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
    if (!For->getInit())
      return refuse(Reason::LoopHead, L.Loop, "it begins with no value");
    if (!For->getCond() || For->getConditionVariable())
      return refuse(Reason::LoopHead, L.Loop, "it has no bound");
    if (!For->getInc())
      return refuse(Reason::LoopHead, L.Loop, "it has no step");
    if (const VarDecl *V = getPointerVariable(For->getInit()))
      IsRead = readPointerFor(For, V);
    else
      IsRead = readFirst(For->getInit()) && readCondition(For->getCond()) &&
               readStep(For->getInc()) && checkWrap(For);
  }
  IsInHead = false;
  return IsRead;
}

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
  if (!I.IsDeclared && Variables.isLiveOut(I.Variable))
    return refuse(Reason::LoopLiveOut, Init, I.Variable->getName());
  return visitValue(I.First);
}

static bool isIterator(const Expr *E, const VarDecl *Variable) {
  const auto *Use = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Use && Use->getDecl() == Variable;
}

bool HostLoopBuilder::readCondition(const Expr *Condition) {
  HostIterator &I = L.Iterator;
  const auto *E = dyn_cast<BinaryOperator>(Condition->IgnoreParens());
  if (!E || !E->isComparisonOp() || E->getOpcode() == BO_EQ)
    return refuse(Reason::LoopHead, Condition, "it has no simple bound");
  BinaryOperatorKind Op = E->getOpcode();
  I.Last = E->getRHS();
  I.Comparison = E->getLHS()->getType();
  if (isIterator(I.Last, I.Variable)) {
    I.Last = E->getLHS();
    Op = BinaryOperator::reverseComparisonOp(Op);
  } else if (!isIterator(E->getLHS(), I.Variable)) {
    return refuse(Reason::LoopHead, Condition,
                  "the bound is not compared with the iterator");
  }
  if (!I.Comparison->isIntegerType() || Context.getTypeSize(I.Comparison) > 64)
    return refuse(Reason::LoopHead, Condition, "its bound is no integer");
  I.IncludesLast = Op == BO_LE || Op == BO_GE;
  // The direction; readStep() adds how far.
  I.Step = Op == BO_NE ? 0 : (Op == BO_LT || Op == BO_LE) ? 1 : -1;
  return checkBound(I.Last) && visitValue(I.Last);
}

/// The bound is evaluated once instead of before each iteration.
bool HostLoopBuilder::checkBound(const Expr *E) {
  if (getHostElement(E))
    return refuse(Reason::LoopBound, E, "a[i]");
  if (std::optional<HostPath> Path = getHostPath(E)) {
    if (Path->Root == L.Iterator.Variable ||
        Variables.roleOf(*Path) != HostRole::Invariant)
      return refuse(Reason::LoopBound, E, Path->text());
    return true;
  }
  for (const Stmt *Child : E->children())
    if (const auto *Part = dyn_cast_or_null<Expr>(Child))
      if (!checkBound(Part))
        return false;
  return true;
}

bool HostLoopBuilder::readStep(const Expr *Increment) {
  HostIterator &I = L.Iterator;
  Increment = Increment->IgnoreParens();
  const Expr *Target = getAssigned(Increment);
  if (!Target || !isIterator(Target, I.Variable))
    return refuse(Reason::LoopHead, Increment,
                  "the step does not change the iterator");
  std::optional<llvm::APSInt> Step;
  bool IsDown = false;
  if (const auto *Unary = dyn_cast<UnaryOperator>(Increment)) {
    Step = llvm::APSInt::get(1);
    IsDown = Unary->isDecrementOp();
  } else if (const auto *Binary = dyn_cast<CompoundAssignOperator>(Increment);
             Binary && (Binary->getOpcode() == BO_AddAssign ||
                        Binary->getOpcode() == BO_SubAssign)) {
    Step = Binary->getRHS()->getIntegerConstantExpr(Context);
    IsDown = Binary->getOpcode() == BO_SubAssign;
  }
  if (!Step || Step->getSignificantBits() > 31 || *Step == 0)
    return refuse(Reason::LoopHead, Increment, "the step is no constant");
  int64_t Value = IsDown ? -Step->getExtValue() : Step->getExtValue();
  if (I.Step != 0 && (I.Step > 0) != (Value > 0))
    return refuse(Reason::LoopHead, Increment,
                  "the step leads away from the bound");
  if (I.Step == 0 && Value != 1 && Value != -1)
    return refuse(Reason::LoopHead, Increment, "it may step over the bound");
  // Narrow ones wrap around, too, though compared as int.
  const QualType Type = I.Variable->getType();
  if (I.Step == 0 &&
      (!I.Comparison->isSignedIntegerType() || !Type->isSignedIntegerType() ||
       Context.getTypeSize(Type) < 32))
    return refuse(Reason::LoopIteratorWraps, Increment, I.Variable->getName());
  I.Step = Value;
  return true;
}

/// The number of iterations is computed, in 64 bits: what the loop does when
/// its iterator wraps around must not be a number of iterations.
bool HostLoopBuilder::checkWrap(const ForStmt *For) {
  HostIterator &I = L.Iterator;
  QualType Type = I.Variable->getType();
  const bool IsPlain =
      Type->isSignedIntegerType() && Context.getTypeSize(Type) >= 32;
  if (!IsPlain && I.Step != 1 && I.Step != -1)
    return refuse(Reason::LoopIteratorWraps, For->getInc(),
                  I.Variable->getName());
  // A signed iterator that is compared as an unsigned number.
  if (Type->isSignedIntegerType() && !I.Comparison->isSignedIntegerType()) {
    std::optional<llvm::APSInt> First =
        I.First->getIntegerConstantExpr(Context);
    // A narrow one becomes negative again, and then a large number.
    if (!First || First->isNegative() || I.Step < 0 ||
        Context.getTypeSize(Type) < 32)
      return refuse(Reason::LoopIteratorWraps, For->getCond(),
                    I.Variable->getName());
  }
  // `i >= 0` holds for ever.
  if (!Type->isSignedIntegerType() && I.Step < 0 && I.IncludesLast)
    return refuse(Reason::LoopIteratorWraps, For->getCond(),
                  I.Variable->getName());
  return true;
}

//===----------------------------------------------------------------------===//
// Afterwards
//===----------------------------------------------------------------------===//

/// The number of elements that the type of \p A gives, as text.
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

bool HostLoopBuilder::finish() {
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

/// Every name of the mark is one of the loop, and no two things have one name.
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
