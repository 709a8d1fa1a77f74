// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The integer expressions of a kernel, interpreted with the arithmetic of C.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/KernelInterpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace cudaopt;

//===----------------------------------------------------------------------===//
// Types and arithmetic
//===----------------------------------------------------------------------===//

std::optional<KernelInterpreter::IntegerType>
KernelInterpreter::integerType(QualType Type) const {
  if (Type.isNull())
    return std::nullopt;
  auto [Known, IsNew] = Types.try_emplace(Type.getAsOpaquePtr());
  if (IsNew && Type->isIntegralOrEnumerationType())
    if (unsigned Bits = Context.getIntWidth(Type); Bits <= 64)
      Known->second = {Bits, Type->isSignedIntegerOrEnumerationType()};
  return Known->second;
}

KernelInterpreter::Integer KernelInterpreter::convert(Integer Value,
                                                      QualType Type) const {
  std::optional<IntegerType> T = integerType(Type);
  if (!T)
    Value.Number = std::nullopt;
  else if (Value.Number && T->Bits < 64)
    Value.Number =
        T->IsSigned ? llvm::SignExtend64(*Value.Number, T->Bits)
                    : *Value.Number & llvm::maskTrailingOnes<uint64_t>(T->Bits);
  return Value;
}

static std::optional<int64_t> divide(BinaryOperatorKind Op, int64_t Left,
                                     int64_t Right, bool IsSigned) {
  uint64_t L = Left, R = Right;
  if (Right == 0 || (IsSigned && Left == INT64_MIN && Right == -1))
    return std::nullopt;
  if (Op == BO_Div)
    return IsSigned ? Left / Right : L / R;
  return IsSigned ? Left % Right : L % R;
}

static bool compare(BinaryOperatorKind Op, int64_t Left, int64_t Right,
                    bool IsSigned) {
  uint64_t L = Left, R = Right;
  switch (Op) {
  case BO_LT:
    return IsSigned ? Left < Right : L < R;
  case BO_LE:
    return IsSigned ? Left <= Right : L <= R;
  case BO_GT:
    return IsSigned ? Left > Right : L > R;
  case BO_GE:
    return IsSigned ? Left >= Right : L >= R;
  case BO_EQ:
    return Left == Right;
  default:
    return Left != Right;
  }
}

/// Returns Left Op Right, computed in \p LeftType, as a \p Type; unknown where
/// C leaves it undefined, but for overflow, which wraps.
KernelInterpreter::Integer
KernelInterpreter::compute(BinaryOperatorKind Op, Integer Left, Integer Right,
                           QualType LeftType, QualType Type) const {
  if (Left.isUnknown() || Right.isUnknown())
    return {};
  Integer Result = {std::nullopt, Left.Blocks | Right.Blocks};
  std::optional<IntegerType> T = integerType(LeftType);
  if (!T || !Left.Number || !Right.Number || Op == BO_Cmp)
    return Result;
  uint64_t L = *Left.Number, R = *Right.Number;
  bool IsShift = Op == BO_Shl || Op == BO_Shr;
  if (IsShift && R >= T->Bits)
    return Result;

  if (BinaryOperator::isComparisonOp(Op)) {
    Result.Number = compare(Op, L, R, T->IsSigned);
    return Result;
  }
  switch (Op) {
  case BO_Add:
    Result.Number = L + R;
    break;
  case BO_Sub:
    Result.Number = L - R;
    break;
  case BO_Mul:
    Result.Number = L * R;
    break;
  case BO_Div:
  case BO_Rem:
    Result.Number = divide(Op, L, R, T->IsSigned);
    break;
  case BO_Shl:
    Result.Number = L << R;
    break;
  case BO_Shr:
    Result.Number = T->IsSigned ? *Left.Number >> R : int64_t(L >> R);
    break;
  case BO_And:
    Result.Number = L & R;
    break;
  case BO_Or:
    Result.Number = L | R;
    break;
  case BO_Xor:
    Result.Number = L ^ R;
    break;
  default:
    return Result;
  }
  return convert(Result, Type);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

KernelInterpreter::Integer KernelInterpreter::evaluate(const Expr *E) {
  Operand Found = resolve(E);
  switch (Found.What) {
  case Operand::Constant:
    return Found.Value;
  case Operand::Local:
    return Values[Found.Number];
  case Operand::ThreadIdx:
    return {Thread[Found.Number]};
  case Operand::BlockIdx:
    return {BlockIndex[Found.Number], 1u << Found.Number};
  case Operand::Reference:
    return trace(Found.Number);
  case Operand::Operation:
    return evaluateOperation(Found.E);
  }
  llvm_unreachable("unknown operand");
}

KernelInterpreter::Integer KernelInterpreter::evaluateOperation(const Expr *E) {
  if (auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(Cast);
  if (auto *Unary = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(Unary);
  if (auto *Binary = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(Binary);
  if (auto *Conditional = dyn_cast<ConditionalOperator>(E))
    return evaluateConditional(Conditional);
  if (auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(Call);
  // Statements inside of an expression, and what may not be evaluated.
  if (isa<LambdaExpr, StmtExpr, BinaryConditionalOperator>(E)) {
    IsComplete = false;
    forgetAssigned(E);
    return {};
  }
  return evaluateChildren(E);
}

/// Evaluates the children of \p E for their effects; \p E itself is unknown.
KernelInterpreter::Integer KernelInterpreter::evaluateChildren(const Expr *E) {
  for (const Stmt *Child : E->children())
    if (auto *Operand = dyn_cast_or_null<Expr>(Child);
        Operand && Relevant.contains(Operand))
      evaluate(Operand);
  return {};
}

KernelInterpreter::Integer
KernelInterpreter::evaluateCast(const CastExpr *Cast) {
  const Expr *From = Cast->getSubExpr();
  switch (Cast->getCastKind()) {
  case CK_IntegralCast:
    return convert(evaluate(From), Cast->getType());
  case CK_IntegralToBoolean: {
    Integer Value = evaluate(From);
    if (Value.Number)
      Value.Number = *Value.Number != 0;
    return Value;
  }
  default:
    return evaluateChildren(Cast);
  }
}

KernelInterpreter::Integer
KernelInterpreter::evaluateUnary(const UnaryOperator *Op) {
  const Expr *Operand = Op->getSubExpr();
  if (!integerType(Op->getType()))
    return evaluateChildren(Op);
  Integer Zero = {0};
  switch (Op->getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return evaluate(Operand);
  case UO_Minus:
    return compute(BO_Sub, Zero, evaluate(Operand), Op->getType(),
                   Op->getType());
  case UO_Not:
    return compute(BO_Xor, {-1}, evaluate(Operand), Op->getType(),
                   Op->getType());
  case UO_LNot:
    return compute(BO_EQ, evaluate(Operand), Zero, Operand->getType(),
                   Op->getType());
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Integer Old = evaluate(Operand);
    Integer New = compute(Op->isIncrementOp() ? BO_Add : BO_Sub, Old, {1},
                          Op->getType(), Op->getType());
    if (Integer *Local = findLocal(Operand))
      *Local = New;
    return Op->isPrefix() ? New : Old;
  }
  default:
    return evaluateChildren(Op);
  }
}

KernelInterpreter::Integer
KernelInterpreter::evaluateBinary(const BinaryOperator *Op) {
  if (Op->isAssignmentOp())
    return evaluateAssignment(Op);
  if (Op->isLogicalOp())
    return evaluateLogical(Op);
  if (Op->isCommaOp()) {
    evaluate(Op->getLHS());
    return evaluate(Op->getRHS());
  }
  if (!integerType(Op->getLHS()->getType()) ||
      !integerType(Op->getRHS()->getType()))
    return evaluateChildren(Op);
  Integer Left = evaluate(Op->getLHS());
  Integer Right = evaluate(Op->getRHS());
  return compute(Op->getOpcode(), Left, Right, Op->getLHS()->getType(),
                 Op->getType());
}

KernelInterpreter::Integer
KernelInterpreter::evaluateAssignment(const BinaryOperator *Op) {
  Integer Value = evaluate(Op->getRHS());
  Integer Old = evaluate(Op->getLHS());
  if (auto *Compound = dyn_cast<CompoundAssignOperator>(Op)) {
    QualType In = Compound->getComputationLHSType();
    Value = compute(BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()),
                    convert(Old, In), Value, In,
                    Compound->getComputationResultType());
    Value = convert(Value, Op->getType());
  }
  if (Integer *Local = findLocal(Op->getLHS()))
    *Local = Value;
  return Value;
}

/// Computes what may or may not be executed: the locals keep what is the same
/// either way.
KernelInterpreter::Integer
KernelInterpreter::maybe(llvm::function_ref<Integer()> Compute) {
  Locals Before = Values;
  ++Uncertain;
  Integer Result = Compute();
  --Uncertain;
  join(Before);
  return Result;
}

KernelInterpreter::Integer
KernelInterpreter::evaluateLogical(const BinaryOperator *Op) {
  bool Decisive = Op->getOpcode() == BO_LOr; // true || x, false && x
  Integer Left = evaluate(Op->getLHS());
  BlockDimensions |= Left.Blocks;
  if (Left.Number && bool(*Left.Number) == Decisive)
    return Left;
  auto evaluateRight = [&] { return evaluate(Op->getRHS()); };
  Integer Right = Left.Number ? evaluateRight() : maybe(evaluateRight);
  Right.Blocks |= Left.Blocks;
  bool IsDecided = Right.Number && bool(*Right.Number) == Decisive;
  if (!Left.Number && !IsDecided)
    Right.Number = std::nullopt;
  return Right;
}

KernelInterpreter::Integer
KernelInterpreter::evaluateConditional(const ConditionalOperator *Op) {
  Integer Condition = evaluate(Op->getCond());
  BlockDimensions |= Condition.Blocks;
  if (Condition.Number)
    return evaluate(*Condition.Number ? Op->getTrueExpr() : Op->getFalseExpr());
  Integer True = maybe([&] { return evaluate(Op->getTrueExpr()); });
  Integer False = maybe([&] { return evaluate(Op->getFalseExpr()); });
  return join(True, False);
}

//===----------------------------------------------------------------------===//
// Calls and references
//===----------------------------------------------------------------------===//

/// Returns BO_LT for the functions of CUDA that return the lesser argument,
/// BO_GT for the greater, BO_Comma for others.
static BinaryOperatorKind comparisonOf(const FunctionDecl *Callee) {
  if (!Callee->getIdentifier() || Callee->getNumParams() != 2)
    return BO_Comma;
  llvm::StringRef Name = Callee->getName();
  Name.consume_front("__nv_");
  return llvm::StringSwitch<BinaryOperatorKind>(Name)
      .Cases({"min", "umin", "llmin", "ullmin"}, BO_LT)
      .Cases({"max", "umax", "llmax", "ullmax"}, BO_GT)
      .Default(BO_Comma);
}

/// Returns the expression that \p Callee returns, if it does nothing else.
static const Expr *onlyReturn(const FunctionDecl *Callee) {
  auto *Body = dyn_cast_or_null<CompoundStmt>(Callee->getBody());
  if (!Body || Body->size() != 1)
    return nullptr;
  auto *Return = dyn_cast<ReturnStmt>(Body->body_front());
  return Return ? Return->getRetValue() : nullptr;
}

KernelInterpreter::Integer
KernelInterpreter::evaluateCall(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  auto isInteger = [&](const ParmVarDecl *P) {
    return integerType(P->getType()).has_value();
  };
  if (!Callee || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call) ||
      !integerType(Callee->getReturnType()) ||
      Callee->getNumParams() != Call->getNumArgs() ||
      !llvm::all_of(Callee->parameters(), isInteger))
    return evaluateChildren(Call);

  llvm::SmallVector<Integer, 4> Arguments;
  for (const Expr *Argument : Call->arguments())
    Arguments.push_back(evaluate(Argument));

  const FunctionDecl *Definition = Callee->getDefinition();
  const Expr *Result = Definition ? onlyReturn(Definition) : nullptr;
  if (Result && !llvm::is_contained(CallStack, Definition)) {
    if (Scanned.insert(Definition).second) {
      for (const ParmVarDecl *Parameter : Definition->parameters())
        addLocal(Parameter);
      scan(Definition->getBody(), /*IsConsumed=*/true);
      Values.resize(Slots.size());
    }
    for (auto [Parameter, Argument] :
         llvm::zip(Definition->parameters(), Arguments))
      if (auto Slot = Slots.find(Parameter); Slot != Slots.end())
        Values[Slot->second] = Argument;
    CallStack.push_back(Definition);
    Integer Value = evaluate(Result);
    CallStack.pop_back();
    return Value;
  }
  BinaryOperatorKind Comparison = comparisonOf(Callee);
  if (Comparison == BO_Comma)
    return {};
  Integer IsLeft = compute(Comparison, Arguments[0], Arguments[1],
                           Callee->getReturnType(), Context.BoolTy);
  Integer Value = IsLeft.Number && *IsLeft.Number ? Arguments[0] : Arguments[1];
  if (!IsLeft.Number)
    Value.Number = std::nullopt;
  Value.Blocks = IsLeft.Blocks;
  return Value;
}

/// Notes the execution of a traced reference. What memory holds is unknown.
KernelInterpreter::Integer KernelInterpreter::trace(unsigned Reference) {
  const TracedReference &Traced = References[Reference];
  std::optional<uint64_t> Element = 0;
  bool IsOutside = false;
  if (Traced.Subscripts.size() != Traced.Extents.size())
    Element = std::nullopt;
  for (auto [Subscript, Extent] :
       llvm::zip(Traced.Subscripts, Traced.Extents)) {
    Integer Value = evaluate(Subscript);
    BlockDimensions |= Value.Blocks;
    // A negative subscript is a large unsigned one.
    IsOutside |= Value.Number && uint64_t(*Value.Number) >= Extent;
    if (!Value.Number || uint64_t(*Value.Number) >= Extent)
      Element = std::nullopt;
    else if (Element)
      Element = *Element * Extent + *Value.Number;
  }
  ++Steps;
  Executions->push_back({Reference, Iteration, Element,
                         Uncertain == 0 && NumUncertainExits == 0, IsOutside});
  return {};
}
