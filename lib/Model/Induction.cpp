// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Induction.h"

using namespace clang;

namespace cudaopt {

static const VarDecl *getVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

static void appendSteps(const Expr *E,
                        llvm::SmallVectorImpl<InductionStep> &Steps) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->isIncrementDecrementOp())
      Steps.push_back({getVariable(Unary->getSubExpr()),
                       Unary->isIncrementOp() ? BO_Add : BO_Sub, nullptr});
    return;
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return;
  if (Op->getOpcode() == BO_Comma) {
    appendSteps(Op->getLHS(), Steps);
    appendSteps(Op->getRHS(), Steps);
    return;
  }
  if (Op->isCompoundAssignmentOp()) {
    Steps.push_back(
        {getVariable(Op->getLHS()),
         BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()),
         Op->getRHS()});
    return;
  }
  const auto *Update =
      dyn_cast<BinaryOperator>(Op->getRHS()->IgnoreParenImpCasts());
  const VarDecl *Var = getVariable(Op->getLHS());
  if (Op->getOpcode() != BO_Assign || !Update || !Var)
    return;
  if (getVariable(Update->getLHS()) == Var)
    Steps.push_back({Var, Update->getOpcode(), Update->getRHS()});
  else if ((Update->getOpcode() == BO_Add || Update->getOpcode() == BO_Mul) &&
           getVariable(Update->getRHS()) == Var)
    Steps.push_back({Var, Update->getOpcode(), Update->getLHS()});
}

llvm::SmallVector<InductionStep, 2> collectSteps(const Expr *E) {
  llvm::SmallVector<InductionStep, 2> Steps;
  appendSteps(E, Steps);
  return Steps;
}

/// The type in which C computes `variable op amount`.
static ValueType getCommonType(ValueType A, ValueType B) {
  uint8_t Bits = std::max<uint8_t>({A.Bits, B.Bits, 32});
  auto staysUnsigned = [&](ValueType T) {
    return T.Bits == Bits && !T.IsSigned;
  };
  return {Bits, !staysUnsigned(A) && !staysUnsigned(B)};
}

/// Returns the values that repeated steps give, from \p Start on, if they reach
/// a fixed point (0) or the end of the type; the last one then stands for all
/// that follow.
static std::optional<std::vector<int64_t>>
listEntries(ValueBuilder &Builder, ValueGraph &G, BinaryOperatorKind Opcode,
            ValueType Type, int64_t Start, ValueId Amount) {
  ValueType Common = getCommonType(Type, G[Amount].Type);
  std::vector<int64_t> Entries = {Start};
  while (Entries.size() <= 64) {
    std::optional<ValueId> Next =
        Builder.combine(Opcode, Common, G.constant(Entries.back(), Common),
                        Builder.convert(Amount, Common));
    std::optional<int64_t> Number;
    if (Next)
      Number = G.asConstant(Builder.convert(*Next, Type));
    if (!Number)
      return std::nullopt;
    if (*Number == Entries.back())
      return Entries;
    // A signed product does not overflow in a valid program.
    if (*Number < 0 && Opcode == BO_Mul && Common == Type && Type.IsSigned)
      return Entries;
    Entries.push_back(*Number);
  }
  return std::nullopt;
}

std::optional<ValueId> computeInduction(ValueBuilder &Builder, ValueGraph &G,
                                        LoopId Loop, BinaryOperatorKind Opcode,
                                        ValueId Init, ValueId Amount) {
  ValueType Type = G[Init].Type;
  ValueId Iteration = G.iterator(Loop);
  if (Opcode == BO_Add || Opcode == BO_Sub) {
    // Wrapping in the common type and conversion to the variable's commute with
    // the sum over the iterations.
    ValueType Common = getCommonType(Type, G[Amount].Type);
    ValueId Distance = G.operation(
        ValueKind::Mul, Common,
        {Builder.convert(Iteration, Common), Builder.convert(Amount, Common)});
    ValueId Sum =
        G.operation(Opcode == BO_Add ? ValueKind::Add : ValueKind::Sub, Common,
                    {Builder.convert(Init, Common), Distance});
    return Builder.convert(Sum, Type);
  }
  std::optional<int64_t> Start = G.asConstant(Init);
  if (!Start || *Start < 0 || !G.asConstant(Amount))
    return std::nullopt;
  std::optional<std::vector<int64_t>> Entries =
      listEntries(Builder, G, Opcode, Type, *Start, Amount);
  if (!Entries)
    return std::nullopt;
  return G.sequence(Iteration, std::move(*Entries), Type);
}

} // namespace cudaopt
