// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the heads of loops that run over an array: range-based for, iterators,
/// and pointers. Their variable is, or leads to, an element; iteration t has
/// element t, so that the loop becomes a counting one:
///
///     for (double &e : v) e = f(e);        v[t] = f(v[t]), t < v.size()
///     for (auto p = a; p != a + n; ++p)    a[t] ..., t < n
//===----------------------------------------------------------------------===//

#include "HostLoopBuilder.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// Returns true if \p E names the loop's variable, and that leads to an element
/// of the array: a reference, pointer or iterator, not a copy.
bool HostLoopBuilder::isRangeVariable(const Expr *E) const {
  const HostIterator &I = L.Iterator;
  const auto *Use = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Use && Use->getDecl() == I.Variable &&
         (I.Range == HostRange::Reference || I.Range == HostRange::Pointer);
}

/// Returns \p E without temporaries and without the conversion of an iterator
/// to a const_iterator.
static const Expr *stripIterator(const Expr *E) {
  E = stripTemporaries(E);
  const auto *Copy = dyn_cast<CXXConstructExpr>(E);
  return Copy && Copy->getNumArgs() == 1 ? stripTemporaries(Copy->getArg(0))
                                         : E;
}

/// Returns the container v of a call `v.begin()` of a member function in
/// \p Names; null for other expressions.
static const Expr *getMemberCallObject(const Expr *E,
                                       llvm::ArrayRef<StringRef> Names) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(stripIterator(E));
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  const bool IsKnown = Method && Method->getDeclName().isIdentifier() &&
                       llvm::is_contained(Names, Method->getName()) &&
                       Call->getNumArgs() == 0;
  if (!IsKnown)
    return nullptr;
  const Expr *Object = Call->getImplicitObjectArgument()->IgnoreParenImpCasts();
  std::optional<HostPath> Path = getHostPath(Object);
  return Path && getContainer(Path->type()) ? Object : nullptr;
}

/// Returns the expression that names the array if \p E is the address of its
/// first element (`v.begin()`, `v.data()`, `a`); null otherwise.
static const Expr *getFirstBase(const Expr *E) {
  if (const Expr *Object = getMemberCallObject(E, {"begin", "cbegin", "data"}))
    return Object;
  const Expr *Base = E->IgnoreParenImpCasts();
  std::optional<HostPath> Path = getHostPath(Base);
  const bool IsPointer =
      Path && (Path->Root || !Path->Fields.empty()) &&
      (Path->type()->isPointerType() || Path->type()->isArrayType());
  return IsPointer ? Base : nullptr;
}

bool HostLoopBuilder::isFirstElement(const Expr *E) const {
  const Expr *Base = getFirstBase(E);
  return Base && getHostPath(Base) == L.Arrays[L.Iterator.Array].Path;
}

/// Returns true for `it - v.begin()`, where the loop runs over v by it.
bool HostLoopBuilder::isIterationNumber(const Expr *E) const {
  if (L.Iterator.Range != HostRange::Pointer)
    return false;
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E))
    return Call->getOperator() == OO_Minus && Call->getNumArgs() == 2 &&
           isRangeVariable(Call->getArg(0)) && isFirstElement(Call->getArg(1));
  const auto *Difference = dyn_cast<BinaryOperator>(E);
  return Difference && Difference->getOpcode() == BO_Sub &&
         isRangeVariable(Difference->getLHS()) &&
         isFirstElement(Difference->getRHS());
}

/// Returns the type of `*p`, `a[i]` or `*it` for a pointer, array or container
/// type; a null type for others.
static QualType getPart(QualType Type, const ASTContext &Context) {
  if (Type->isPointerType())
    return Type->getPointeeType();
  if (const ArrayType *Array = Context.getAsArrayType(Type))
    return Array->getElementType();
  if (const auto *Container = getContainer(Type))
    return Container->getTemplateArgs()[0].getAsType();
  return QualType();
}

/// Returns true if \p Mine is the iterator type \p Type, or the same with const
/// elements.
static bool isIteratorOf(QualType Mine, QualType Type,
                         const ASTContext &Context) {
  if (Context.hasSameUnqualifiedType(Mine, Type))
    return true;
  auto getTemplate = [](QualType T) -> const ClassTemplateDecl * {
    const auto *Record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        T->getAsCXXRecordDecl());
    return Record ? Record->getSpecializedTemplate()->getCanonicalDecl()
                  : nullptr;
  };
  if (Mine->isPointerType() && Type->isPointerType())
    return Context.hasSameUnqualifiedType(Mine->getPointeeType(),
                                          Type->getPointeeType());
  return getTemplate(Mine) && getTemplate(Mine) == getTemplate(Type);
}

//===----------------------------------------------------------------------===//
// Pointers and iterators
//===----------------------------------------------------------------------===//

/// Returns the right operand of a comparison of pointers or iterators, which is
/// built-in, an operator function, or rewritten from one.
static const Expr *getRightOperand(const Expr *E) {
  E = stripTemporaries(E);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return Binary->getRHS();
  if (const auto *Written = dyn_cast<CXXRewrittenBinaryOperator>(E))
    return Written->getRHS();
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
  return Call && Call->getNumArgs() == 2 ? Call->getArg(1) : E;
}

/// Reads `for (T *p = a; p != ...; ++p)` and the same with iterators; \p V is
/// the variable.
bool HostLoopBuilder::readPointerFor(const ForStmt *For, const VarDecl *V) {
  HostIterator &I = L.Iterator;
  const Expr *Base = getFirstBase(V->getInit());
  if (!Base)
    return refuse(Reason::LoopIteratorType, For->getInit(), V->getName());
  std::optional<HostArrayId> Array = findArray(Base);
  if (!Array)
    return false;
  const QualType Type = L.Arrays[*Array].Path.type();
  const Expr *First = stripIterator(V->getInit());
  const bool IsSame =
      V->getType()->isPointerType()
          ? Context.hasSameUnqualifiedType(V->getType()->getPointeeType(),
                                           getPart(Type, Context))
          : isIteratorOf(V->getType(), First->getType(), Context);
  if (!IsSame || V->getType().isVolatileQualified())
    return refuse(Reason::LoopIteratorType, For->getInit(), V->getName());
  I.Variable = V;
  I.Range = HostRange::Pointer;
  I.Array = *Array;
  I.Step = 1;
  I.Comparison = Context.LongTy;
  const LoopHead &Head = View->head();
  if ((Head.Compare != BO_NE && Head.Compare != BO_LT) || !Head.Counter ||
      !View->isCounterOf(V) || Head.IsBoundFirst)
    return refuse(Reason::LoopHead, For->getCond(),
                  "the bound is not compared with the iterator");
  if (!stepsToNext())
    return refuseAfterBody(Reason::LoopHead, For->getInc(),
                           "the step is not to the next element");
  View->claimReads(For->getCond());
  View->claimReads(For->getInc());
  return readPointerEnd(getRightOperand(For->getCond()));
}

/// Returns true if each iteration moves on by the size of one element.
bool HostLoopBuilder::stepsToNext() const {
  const QualType Part =
      getPart(L.Arrays[L.Iterator.Array].Path.type(), Context);
  const std::optional<llvm::APSInt> &Step = View->head().Step;
  return Step && *Step == Context.getTypeSizeInChars(Part).getQuantity();
}

/// Reads the end of the range: `v.end()`, `a + n`, or another pointer. In the
/// first two cases the IR confirms that the end lies an invariant distance
/// behind the first element.
bool HostLoopBuilder::readPointerEnd(const Expr *Last) {
  HostIterator &I = L.Iterator;
  const LoopHead &Head = View->head();
  const HostPath &Path = L.Arrays[I.Array].Path;
  if (const Expr *Object = getMemberCallObject(Last, {"end", "cend"});
      Object && getHostPath(Object) == Path &&
      View->isBehind(Head.First, Head.Bound)) {
    I.Count = Path.text() + ".size()";
    return true;
  }
  const Expr *E = stripIterator(Last);
  const Expr *First = nullptr, *Length = nullptr;
  if (const auto *Sum = dyn_cast<BinaryOperator>(E);
      Sum && Sum->getOpcode() == BO_Add) {
    First = Sum->getLHS();
    Length = Sum->getRHS();
  } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
             Call && Call->getOperator() == OO_Plus &&
             Call->getNumArgs() == 2) {
    First = Call->getArg(0);
    Length = stripTemporaries(Call->getArg(1));
  }
  if (First && isFirstElement(First) && Length->getType()->isIntegerType() &&
      Context.getTypeSize(Length->getType()) <= 64 &&
      View->isBehind(Head.First, Head.Bound)) {
    I.Last = Length;
    I.Comparison = Length->getType();
    return checkBound(Length) && visitValue(Length);
  }
  std::optional<HostPath> End = getHostPath(E);
  if (!End || !End->type()->isPointerType() ||
      L.Arrays[I.Array].Kind == HostArrayKind::Container)
    return refuse(Reason::LoopHead, Last,
                  "the bound leads to no end of the same array");
  if (*End == Path || !View->isInvariant(Head.Bound))
    return refuse(Reason::LoopBound, Last, End->text());
  I.Count = End->text() + " - " + Path.text();
  return addScalar(E, *End, /*IsSize=*/false);
}

//===----------------------------------------------------------------------===//
// Range-based for
//===----------------------------------------------------------------------===//

/// Returns First and Last of `std::views::iota(First, Last)`; std::nullopt if
/// \p Range is something else.
static std::optional<std::pair<const Expr *, const Expr *>>
getIota(const Expr *Range) {
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(Range);
  if (!Call || Call->getOperator() != OO_Call || Call->getNumArgs() != 3)
    return std::nullopt;
  const auto *Use =
      dyn_cast<DeclRefExpr>(Call->getArg(0)->IgnoreParenImpCasts());
  const auto *Object = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
  if (!Object || Object->getName() != "iota")
    return std::nullopt;
  const DeclContext *Outermost = Object->getDeclContext();
  while (!Outermost->isTranslationUnit() &&
         !Outermost->getParent()->isTranslationUnit())
    Outermost = Outermost->getParent();
  if (!Outermost->isStdNamespace())
    return std::nullopt;
  return std::pair(stripTemporaries(Call->getArg(1)),
                   stripTemporaries(Call->getArg(2)));
}

/// Reads `for (T i : std::views::iota(First, Last))`, which counts like an
/// ordinary loop.
bool HostLoopBuilder::readIota(const CXXForRangeStmt *S, const Expr *First,
                               const Expr *Last) {
  HostIterator &I = L.Iterator;
  const QualType Type = I.Variable->getType().getNonReferenceType();
  const QualType Values = First->getType();
  if (!Context.hasSameUnqualifiedType(Type, Values) ||
      !Values->isIntegerType() || Values->isBooleanType() ||
      !Last->getType()->isIntegerType() || Context.getTypeSize(Values) < 32 ||
      Context.getTypeSize(Values) > 64)
    return refuse(Reason::LoopIteratorType, S, I.Variable->getName());
  const LoopHead &Head = View->head();
  if (Head.Compare != BO_NE || !Head.Step || *Head.Step != 1)
    return refuse(Reason::LoopRangeFor, S, "what it goes through is no array");
  View->claimReads(S->getRangeInit());
  I.First = First;
  I.Last = Last;
  I.Step = 1;
  I.Comparison =
      Context.getTypeSize(Last->getType()) > Context.getTypeSize(Values)
          ? Last->getType().getUnqualifiedType()
          : Values.getUnqualifiedType();
  return visitValue(First) && checkBound(Last) && visitValue(Last);
}

/// Reads a range-based for over a container, an array, or std::views::iota. The
/// loop's variable is either a copy of the element, which is an access of its
/// own, or a reference to it.
bool HostLoopBuilder::readRangeFor(const CXXForRangeStmt *S) {
  HostIterator &I = L.Iterator;
  const VarDecl *V = S->getLoopVariable();
  if (S->getInit() || isa<DecompositionDecl>(V))
    return refuse(Reason::LoopRangeFor, S, "its head declares more than one");
  QualType Type = V->getType();
  if (Type.getNonReferenceType().isVolatileQualified())
    return refuse(Reason::LoopVolatile, S, V->getName());
  I.Variable = V;
  const Expr *Range = stripTemporaries(S->getRangeInit());
  if (auto Iota = getIota(Range))
    return readIota(S, Iota->first, Iota->second);
  std::optional<HostPath> Path = getHostPath(Range);
  if (!Path ||
      !(getContainer(Path->type()) || Path->type()->isConstantArrayType()))
    return refuse(Reason::LoopRangeFor, S, "what it goes through is no array");
  I.Variable = nullptr; // It is no part of its own range.
  std::optional<HostArrayId> Array = findArray(Range);
  if (!Array)
    return false;
  const QualType Part = getPart(Path->type(), Context);
  const bool IsReference = Type->isReferenceType();
  if (IsReference
          ? !Context.hasSameUnqualifiedType(Type->getPointeeType(), Part)
          : !isHostScalar(Type) || !isHostScalar(Part))
    return refuse(Reason::LoopIteratorType, S, V->getName());
  I.Variable = V;
  I.Range = IsReference ? HostRange::Reference : HostRange::Value;
  I.Array = *Array;
  I.Step = 1;
  I.Comparison = Context.LongTy;
  const LoopHead &Head = View->head();
  if (Head.Compare != BO_NE || !Head.Counter || !stepsToNext() ||
      !View->isBehind(Head.First, Head.Bound))
    return refuse(Reason::LoopRangeFor, S, "what it goes through is no array");
  View->claimReads(S->getCond());
  View->claimReads(S->getInc());
  View->claimReads(V->getInit());
  if (const auto *Size = Context.getAsConstantArrayType(Path->type()))
    I.Count = std::to_string(Size->getZExtSize());
  else
    I.Count = Path->text() + ".size()";
  return IsReference ||
         addAccess({.Ref = V->getInit(),
                    .Array = *Array,
                    .Subscripts = {nullptr},
                    .IsAtIteration = true,
                    .Node = V->getInit()->IgnoreParenImpCasts()});
}

} // namespace cudaopt
