// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recognises updates `x = x op v` that the runtime can execute with the same
/// bits.
///
/// The runtime's minimum is `v < x ? v : x`, which is std::min(x, v). For
/// floating-point numbers the order of the operands matters: where x and v are
/// equal (0 and -0), or one is not a number, another order gives other bits.
/// For integers it does not matter.
//===----------------------------------------------------------------------===//

#include "HostUpdates.h"
#include "HostVariables.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;

namespace cudaopt {

/// Returns \p E without parentheses, implicit casts and a temporary.
static const Expr *strip(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    E = Temporary->getSubExpr()->IgnoreParenImpCasts();
  return E;
}

bool isSameExpr(const Expr *A, const Expr *B, const ASTContext &Context) {
  llvm::FoldingSetNodeID Left, Right;
  strip(A)->Profile(Left, Context, /*Canonical=*/true);
  strip(B)->Profile(Right, Context, /*Canonical=*/true);
  return Left == Right;
}

const Expr *getGuardedExpr(const IfStmt *S) {
  if (S->getElse() || S->getInit() || S->getConditionVariable() ||
      S->isConstexpr() || S->isConsteval())
    return nullptr;
  const Stmt *Then = S->getThen();
  if (const auto *Block = dyn_cast<CompoundStmt>(Then))
    Then = Block->size() == 1 ? Block->body_front() : nullptr;
  const auto *E = dyn_cast_or_null<Expr>(Then);
  if (const auto *Full = dyn_cast_or_null<FullExpr>(E))
    E = Full->getSubExpr();
  return E ? E->IgnoreParens() : nullptr;
}

bool isMinMax(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  const auto *Callee =
      dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  return F && Callee && !Callee->hasExplicitTemplateArgs() &&
         F->isInStdNamespace() && F->getDeclName().isIdentifier() &&
         (F->getName() == "min" || F->getName() == "max") &&
         F->getNumParams() == 2;
}

namespace {

/// Reads the updates of one target. Each function returns std::nullopt if the
/// expression is no update, or not one with the same bits.
class UpdateReader {
public:
  UpdateReader(const Expr *Target, const ASTContext &Context)
      : Target(Target), Context(Context),
        Element(Target->getType().getUnqualifiedType()) {}

  bool hasNumber() const {
    return Element->isArithmeticType() && !Element->isBooleanType() &&
           !Element->isEnumeralType();
  }
  std::optional<HostUpdate> readUnary(const UnaryOperator *E) const;
  std::optional<HostUpdate> readOperator(BinaryOperatorKind Op, QualType Type,
                                         const Expr *Value) const;
  std::optional<HostUpdate> readValue(const Expr *Value) const;
  /// Reads `x = Condition ? True : False`, where x is the target.
  std::optional<HostUpdate> readChoice(const Expr *Condition, const Expr *True,
                                       const Expr *False) const;

private:
  bool isTarget(const Expr *E) const { return isSameExpr(E, Target, Context); }
  bool isElement(QualType Type) const {
    return Context.hasSameUnqualifiedType(Type, Element);
  }
  std::optional<HostUpdate> make(HostOperation Op, const Expr *Value) const {
    return HostUpdate{Op, Target, Value};
  }
  std::optional<HostUpdate> readCall(const CallExpr *Call) const;

  const Expr *Target;
  const ASTContext &Context;
  const QualType Element;
};

} // namespace

std::optional<HostUpdate>
UpdateReader::readUnary(const UnaryOperator *E) const {
  if (E->isIncrementOp())
    return make(HostOperation::Plus, nullptr);
  // The runtime subtracts by adding the negation. Signed integers are refused
  // as in readOperator().
  if (E->isDecrementOp() && !Element->isSignedIntegerType())
    return make(HostOperation::Minus, nullptr);
  return std::nullopt;
}

/// Reads `x = x Op Value`; \p Type is the one in which the operator computes.
std::optional<HostUpdate> UpdateReader::readOperator(BinaryOperatorKind Op,
                                                     QualType Type,
                                                     const Expr *Value) const {
  // A narrow integer is promoted to int and narrowed again. That truncates
  // modulo 2^bits, which gives the same result in any order of updates.
  const bool IsNarrow = Element->isIntegerType() &&
                        Context.getTypeSize(Element) < 32 &&
                        Context.hasSameType(Type, Context.IntTy);
  if (!isElement(Type) && !IsNarrow)
    return std::nullopt;
  switch (Op) {
  case BO_Add:
    return make(HostOperation::Plus, Value);
  case BO_Sub:
    if (Element->isSignedIntegerType())
      return std::nullopt; // The least number has no negation in its type.
    return make(HostOperation::Minus, Value);
  case BO_Mul:
    return make(HostOperation::Multiplies, Value);
  case BO_And:
    return make(HostOperation::And, Value);
  case BO_Or:
    return make(HostOperation::Or, Value);
  case BO_Xor:
    return make(HostOperation::Xor, Value);
  default:
    return std::nullopt;
  }
}

std::optional<HostUpdate> UpdateReader::readChoice(const Expr *Condition,
                                                   const Expr *True,
                                                   const Expr *False) const {
  const auto *Test = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Test || !Test->isRelationalOp())
    return std::nullopt;
  const Expr *Less = Test->getLHS(), *More = Test->getRHS();
  if (Test->getOpcode() == BO_GT || Test->getOpcode() == BO_GE)
    std::swap(Less, More);
  const bool KeepsOld = isTarget(False);
  if (!KeepsOld && !isTarget(True))
    return std::nullopt;
  const Expr *Value = KeepsOld ? True : False;
  const bool IsValueLess = isSameExpr(Less, Value, Context) && isTarget(More);
  if (!IsValueLess && !(isTarget(Less) && isSameExpr(More, Value, Context)))
    return std::nullopt;
  // Comparison and assignment must see the same value of the element's type.
  // Narrow integers are compared as int, which loses nothing.
  if (!isElement(strip(Value)->getType()) &&
      !isElement(Test->getLHS()->getType()))
    return std::nullopt;
  const bool IsStrict =
      Test->getOpcode() == BO_LT || Test->getOpcode() == BO_GT;
  if (!(IsStrict && KeepsOld) && !Element->isIntegerType())
    return std::nullopt;
  return make(IsValueLess == KeepsOld ? HostOperation::Minimum
                                      : HostOperation::Maximum,
              Value);
}

/// Reads `std::min(x, v)` and `std::max(x, v)`.
std::optional<HostUpdate> UpdateReader::readCall(const CallExpr *Call) const {
  if (!isMinMax(Call))
    return std::nullopt;
  const FunctionDecl *F = Call->getDirectCallee();
  if (!isElement(F->getParamDecl(0)->getType().getNonReferenceType()))
    return std::nullopt;
  const bool IsFirst = isTarget(Call->getArg(0));
  if (!IsFirst && !(Element->isIntegerType() && isTarget(Call->getArg(1))))
    return std::nullopt;
  return make(F->getName() == "min" ? HostOperation::Minimum
                                    : HostOperation::Maximum,
              Call->getArg(IsFirst));
}

std::optional<HostUpdate> UpdateReader::readValue(const Expr *Value) const {
  const Expr *E = Value;
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr();
  E = E->IgnoreParenImpCasts();
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return readChoice(Choice->getCond(), Choice->getTrueExpr(),
                      Choice->getFalseExpr());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return readCall(Call);
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary)
    return std::nullopt;
  if (isTarget(Binary->getLHS()))
    return readOperator(Binary->getOpcode(), Binary->getType(),
                        Binary->getRHS());
  if (isTarget(Binary->getRHS()) && Element->isIntegerType() &&
      Binary->getOpcode() != BO_Sub)
    return readOperator(Binary->getOpcode(), Binary->getType(),
                        Binary->getLHS());
  return std::nullopt;
}

std::optional<HostUpdate> findUpdate(const Stmt *S, const ASTContext &Context) {
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    const auto *Store = dyn_cast_or_null<BinaryOperator>(getGuardedExpr(If));
    if (!Store || Store->getOpcode() != BO_Assign)
      return std::nullopt;
    const Expr *Target = Store->getLHS()->IgnoreParens();
    UpdateReader Reader(Target, Context);
    return Reader.hasNumber()
               ? Reader.readChoice(If->getCond(), Store->getRHS(), Target)
               : std::nullopt;
  }
  const auto *E = dyn_cast<Expr>(S);
  const Expr *Target = E ? getAssigned(E) : nullptr;
  if (!Target)
    return std::nullopt;
  UpdateReader Reader(Target, Context);
  if (!Reader.hasNumber())
    return std::nullopt;
  E = E->IgnoreParens();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Reader.readUnary(Unary);
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(E))
    return Reader.readOperator(
        BinaryOperator::getOpForCompoundAssignment(Compound->getOpcode()),
        Compound->getComputationResultType(), Compound->getRHS());
  return Reader.readValue(cast<BinaryOperator>(E)->getRHS());
}

} // namespace cudaopt
