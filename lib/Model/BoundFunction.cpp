// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates values of the IR to values of an instance.
//===----------------------------------------------------------------------===//

#include "BoundFunction.h"
#include "Induction.h"

#include "cudaopt/Machine/BankMap.h"
#include "cudaopt/Model/ValueLeaves.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudaopt {

static constexpr ValueType IntType{32, true};
static constexpr ValueType UnsignedType{32, false};

/// A boolean is computed as an int.
static std::optional<ValueType> valueTypeOf(ir::Type T) {
  if (T.What == ir::Type::Boolean)
    return IntType;
  if (T.What != ir::Type::Integer || T.Bits > 64)
    return std::nullopt;
  return ValueType{uint8_t(T.Bits), T.IsSigned};
}

BoundFunction::BoundFunction(ir::Function &F, KernelInstance &Instance)
    : F(F), Instance(Instance), Dominance(F) {
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (const ir::Operation &O : B->Operations)
      if (O.Result)
        Definitions[O.Result] = &O;
  Around.resize(F.blocks().size());
  // Outer loops come first.
  for (auto [Index, L] : llvm::enumerate(F.loops()))
    for (const ir::Block *B : L.Blocks)
      Around[B->Id] = Index;
  findTests();
}

const Expr *BoundFunction::withoutParens(const Expr *E,
                                         ir::CallPathId Path) const {
  while (!F.evaluationOf(E, Path) && isa<ParenExpr, FullExpr>(E)) {
    const auto *Parens = dyn_cast<ParenExpr>(E);
    E = Parens ? Parens->getSubExpr() : cast<FullExpr>(E)->getSubExpr();
  }
  return E;
}

std::optional<ValueId> BoundFunction::valueOf(const Expr *E,
                                              ir::CallPathId Path) {
  // The expression may be what a reference is bound to.
  E = E->IgnoreParens();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    E = Temporary->getSubExpr();
  E = withoutParens(E, Path);
  const std::optional<ir::Evaluation> Known = F.evaluationOf(E, Path);
  if (!Known || E->isGLValue())
    return std::nullopt;
  return valueIn(Known->Value, loopOf(Known->At));
}

/// Returns the value of \p V in an iteration of loop \p In, or outside of all
/// loops. Results are cached, but no failure that is due to a cycle of values
/// still being computed: the same value may be found when it is asked for from
/// elsewhere.
std::optional<ValueId> BoundFunction::valueIn(ir::ValueId V, MaybeLoop In) {
  const auto Key = std::pair(V, In ? *In : ~0u);
  if (const auto It = Known.find(Key); It != Known.end())
    return It->second;
  // A value that depends on itself: induction() finds the closed forms that
  // exist.
  if (!V || !Computing.insert(Key).second) {
    ++NumCycles;
    return std::nullopt;
  }
  const unsigned CyclesBefore = NumCycles;
  const MaybeValue Result = compute(F.value(V), V, In);
  Computing.erase(Key);
  // A failure that met a cycle is not final.
  if (Result || NumCycles == CyclesBefore || Computing.empty())
    Known[Key] = Result;
  return Result;
}

/// Translates one value of the IR, after its operands.
std::optional<ValueId> BoundFunction::compute(const ir::Value &V,
                                              ir::ValueId Id, MaybeLoop In) {
  const std::optional<ValueType> Type = valueTypeOf(V.Ty);
  if (!Type)
    return std::nullopt;
  ValueGraph &Values = Instance.Values;
  switch (V.What) {
  case ir::Value::Literal:
    return Values.constant(V.Integer, *Type);
  case ir::Value::Special:
    return special(V.Register);
  case ir::Value::Argument: {
    const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(V.Decl);
    if (!Parameter)
      return std::nullopt;
    // The parameters that a pack expands to have one name, so the index is
    // added.
    return Values.parameter((Parameter->getName() + "#" +
                             llvm::Twine(Parameter->getFunctionScopeIndex()))
                                .str(),
                            *Type);
  }
  case ir::Value::Phi:
    return phi(V, In);
  case ir::Value::Result:
    return loaded(V, Id);
  case ir::Value::Unary:
    return unary(V, In);
  case ir::Value::Binary:
    return binary(V, In);
  case ir::Value::Select: {
    const MaybeValue If = valueIn(V.Operands[0], In),
                     Then = valueIn(V.Operands[1], In),
                     Else = valueIn(V.Operands[2], In);
    if (!If || !Then || !Else)
      return std::nullopt;
    return Values.operation(ValueKind::Select, *Type, {*If, *Then, *Else});
  }
  case ir::Value::Convert: {
    const MaybeValue Operand = valueIn(V.Operands[0], In);
    if (!Operand)
      return std::nullopt;
    if (V.Ty.What != ir::Type::Boolean)
      return Values.cast(*Operand, *Type);
    const ValueId Zero = Values.constant(0, Values[*Operand].Type);
    return Values.operation(ValueKind::NotEqual, IntType, {*Operand, Zero});
  }
  case ir::Value::Pure:
    return pure(V, In);
  default:
    return std::nullopt;
  }
}

/// Special registers: indices are leaves of the value graph; the sizes of the
/// block and the grid are numbers if the launch tells, else parameters.
std::optional<ValueId> BoundFunction::special(ir::SpecialRegister R) {
  ValueGraph &Values = Instance.Values;
  if (R == ir::SpecialRegister::WarpSize)
    return Values.constant(WarpSize, IntType);
  const unsigned Kind = static_cast<unsigned>(R) / 3;
  const unsigned Dimension = static_cast<unsigned>(R) % 3;
  if (R <= ir::SpecialRegister::ThreadIdxZ)
    return Values.threadIdx(Dimension);
  if (R <= ir::SpecialRegister::BlockIdxZ)
    return Values.blockIdx(Dimension);
  if (R > ir::SpecialRegister::GridDimZ)
    return std::nullopt;
  const uint32_t Size = Kind == 2 ? Instance.Block.Threads[Dimension]
                                  : Instance.Block.Grid[Dimension];
  if (Size)
    return Values.constant(Size, UnsignedType);
  return Values.parameter(getName(R).str(), UnsignedType);
}

/// Memory that is the same during a whole launch is a parameter: the host
/// cannot change `__constant__` memory meanwhile.
std::optional<ValueId> BoundFunction::loaded(const ir::Value &V,
                                             ir::ValueId Id) {
  const ir::Operation *O = Definitions.lookup(Id);
  if (!O || O->What != ir::Operation::Load)
    return std::nullopt;
  const ir::Value &Address = F.value(O->Address);
  if (Address.What != ir::Value::Address)
    return std::nullopt;
  const auto *Var = dyn_cast_or_null<VarDecl>(F.object(Address.Object).Decl);
  const ValueType Type = *valueTypeOf(V.Ty);
  if (!Var || !Var->getIdentifier() ||
      F.object(Address.Object).Size != O->Width)
    return std::nullopt;
  if (Var->getName() == "warpSize" &&
      Var->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return Instance.Values.constant(WarpSize, Type);
  if (!Var->hasAttr<CUDAConstantAttr>() ||
      isa<VarTemplateSpecializationDecl>(Var))
    return std::nullopt;
  return Instance.Values.parameter("::" + Var->getQualifiedNameAsString(),
                                   Type);
}

std::optional<ValueId> BoundFunction::unary(const ir::Value &V, MaybeLoop In) {
  const MaybeValue Operand = valueIn(V.Operands[0], In);
  if (!Operand)
    return std::nullopt;
  const ValueType Type = *valueTypeOf(V.Ty);
  ValueGraph &Values = Instance.Values;
  switch (V.unary()) {
  case UO_Minus:
    return Values.operation(ValueKind::Sub, Type,
                            {Values.constant(0, Type), *Operand});
  case UO_Not:
    return Values.operation(ValueKind::Xor, Type,
                            {*Operand, Values.constant(-1, Type)});
  case UO_LNot:
    return negation(*Operand);
  default:
    return std::nullopt;
  }
}

/// Returns the kind of value that \p Opcode computes; for `>` and `>=`, with
/// the operands swapped.
static std::optional<ValueKind> kindOf(BinaryOperatorKind Opcode) {
  switch (Opcode) {
  case BO_Add:
    return ValueKind::Add;
  case BO_Sub:
    return ValueKind::Sub;
  case BO_Mul:
    return ValueKind::Mul;
  case BO_Div:
    return ValueKind::Div;
  case BO_Rem:
    return ValueKind::Rem;
  case BO_Shl:
    return ValueKind::Shl;
  case BO_Shr:
    return ValueKind::Shr;
  case BO_And:
    return ValueKind::And;
  case BO_Or:
    return ValueKind::Or;
  case BO_Xor:
    return ValueKind::Xor;
  case BO_LT:
  case BO_GT:
    return ValueKind::Less;
  case BO_LE:
  case BO_GE:
    return ValueKind::LessEqual;
  case BO_EQ:
    return ValueKind::Equal;
  case BO_NE:
    return ValueKind::NotEqual;
  default:
    return std::nullopt;
  }
}

std::optional<ValueId> BoundFunction::binary(const ir::Value &V, MaybeLoop In) {
  MaybeValue Left = valueIn(V.Operands[0], In),
             Right = valueIn(V.Operands[1], In);
  const std::optional<ValueKind> Kind = kindOf(V.binary());
  if (!Left || !Right || !Kind)
    return std::nullopt;
  if (V.binary() == BO_GT || V.binary() == BO_GE)
    std::swap(Left, Right);
  return Instance.Values.operation(*Kind, *valueTypeOf(V.Ty), {*Left, *Right});
}

/// Calls of the toolkit's min and max, and of __mul24, which is taken as a full
/// product although it ignores the upper eight bits of its operands.
std::optional<ValueId> BoundFunction::pure(const ir::Value &V, MaybeLoop In) {
  const auto *Callee = cast<FunctionDecl>(V.Decl);
  const std::optional<ValueKind> Kind =
      llvm::StringSwitch<std::optional<ValueKind>>(Callee->getName())
          .Cases({"min", "umin", "llmin", "ullmin"}, ValueKind::Min)
          .Cases({"__nv_min", "__nv_umin"}, ValueKind::Min)
          .Cases({"__nv_llmin", "__nv_ullmin"}, ValueKind::Min)
          .Cases({"max", "umax", "llmax", "ullmax"}, ValueKind::Max)
          .Cases({"__nv_max", "__nv_umax"}, ValueKind::Max)
          .Cases({"__nv_llmax", "__nv_ullmax"}, ValueKind::Max)
          .Cases({"__mul24", "__umul24"}, ValueKind::Mul)
          .Cases({"__nv_mul24", "__nv_umul24"}, ValueKind::Mul)
          .Default(std::nullopt);
  if (!Kind || V.Operands.size() != 2)
    return std::nullopt;
  const MaybeValue Left = valueIn(V.Operands[0], In),
                   Right = valueIn(V.Operands[1], In);
  if (!Left || !Right)
    return std::nullopt;
  const ValueType Type = *valueTypeOf(V.Ty);
  ValueGraph &Values = Instance.Values;
  if (*Kind != ValueKind::Mul)
    return Values.operation(
        *Kind, Type, {Values.cast(*Left, Type), Values.cast(*Right, Type)});
  // The upper eight bits of the factors do not count, nor does what the product
  // has more than 32.
  const ValueType Factor{24, Type.IsSigned}, Product{32, false};
  const auto narrowed = [&](ValueId Id) {
    return Values.cast(Values.cast(Id, Factor), Product);
  };
  return Values.cast(
      Values.operation(*Kind, Product, {narrowed(*Left), narrowed(*Right)}),
      Type);
}

//===----------------------------------------------------------------------===//
// Phis
//===----------------------------------------------------------------------===//

/// A phi in a loop's header is an induction variable; any other one joins
/// paths. \p In is the loop in which the value is asked for: a value of another
/// iteration of a loop around the phi would be a different one.
std::optional<ValueId> BoundFunction::phi(const ir::Value &V, MaybeLoop In) {
  const ir::Block *B = F.blocks()[V.Block].get();
  const MaybeLoop Own = loopOf(B);
  if (!Own || F.loops()[*Own].Header != B)
    return encloses(Own, In) ? joined(V) : std::nullopt;
  const auto Id = Bound.find(*Own);
  if (Id == Bound.end())
    return std::nullopt;
  if (encloses(Own, In))
    return induction(V, *Own, Instance.Values.iterator(Id->second));
  // Behind the loop, a variable has its value of the first iteration that is
  // not executed any more.
  if (!encloses(loopAround(B), In) || !leavesOnlyByTest(*Own))
    return std::nullopt;
  const std::optional<int64_t> Count = tripsOf(*Own);
  if (!Count)
    return std::nullopt;
  return induction(V, *Own, Instance.Values.constant(*Count));
}

std::optional<int64_t> BoundFunction::tripsOf(unsigned Loop) {
  const auto [Known, IsNew] = Trips.try_emplace(Loop, std::nullopt);
  if (IsNew)
    Known->second = countTrips(Instance, Bound.lookup(Loop));
  return Known->second;
}

/// Returns the value of \p V if it is the same in all iterations of \p Loop.
std::optional<ValueId> BoundFunction::amountIn(ir::ValueId V, unsigned Loop) {
  const MaybeValue Amount = valueIn(V, Loop);
  if (!Amount)
    return std::nullopt;
  const Leaves On = findLeaves(Instance.Values, *Amount);
  return llvm::is_contained(On.Loops, Bound.lookup(Loop)) ? std::nullopt
                                                          : Amount;
}

/// Returns the operand of the conversions that lead to \p Next, none of which
/// is to a type narrower than \p Type: they keep its value modulo 2^bits.
static ir::ValueId skipConversions(const ir::Function &F, ir::ValueId Next,
                                   ir::Type Type) {
  while (F.value(Next).What == ir::Value::Convert &&
         F.value(Next).Ty.What == ir::Type::Integer &&
         F.value(Next).Ty.Bits >= Type.Bits)
    Next = F.value(Next).Operands[0];
  return Next;
}

/// Returns what all steps of an iteration of \p Loop together add to the phi
/// \p V, given its value \p Next at the end of the iteration; std::nullopt if
/// the iteration does something else with it.
std::optional<ValueId> BoundFunction::sumOf(const ir::Value &V,
                                            ir::ValueId Next, unsigned Loop) {
  MaybeValue Total = Instance.Values.constant(0, *valueTypeOf(V.Ty));
  while (true) {
    Next = skipConversions(F, Next, V.Ty);
    const ir::Value &Step = F.value(Next);
    if (&Step == &V)
      return Total;
    if (Step.What != ir::Value::Binary || Step.Ty.Bits < V.Ty.Bits ||
        (Step.binary() != BO_Add && Step.binary() != BO_Sub))
      return std::nullopt;
    MaybeValue Amount = amountIn(Step.Operands[1], Loop);
    Next = Step.Operands[0];
    if (!Amount && Step.binary() == BO_Add) {
      Amount = amountIn(Step.Operands[0], Loop);
      Next = Step.Operands[1];
    }
    const std::optional<ValueType> Type = valueTypeOf(Step.Ty);
    if (!Amount || !Type)
      return std::nullopt;
    Total = Instance.Values.operation(*kindOf(Step.binary()), *Type,
                                      {Instance.Values.cast(*Total, *Type),
                                       Instance.Values.cast(*Amount, *Type)});
  }
}

/// Returns the closed form of \p V, a phi at the header of \p Loop, in
/// iteration \p Iteration, if each iteration adds an invariant amount to it, or
/// multiplies, divides or shifts it by an invariant amount.
std::optional<ValueId>
BoundFunction::induction(const ir::Value &V, unsigned Loop, ValueId Iteration) {
  const ir::Block *Header = F.loops()[Loop].Header;
  ir::ValueId Init = 0, Next = 0;
  for (auto [Before, Operand] :
       llvm::zip_equal(Header->Predecessors, V.Operands)) {
    ir::ValueId &Of = Dominance.dominates(Header, Before) ? Next : Init;
    if (Of && Of != Operand)
      return std::nullopt;
    Of = Operand;
  }
  const MaybeValue Start = valueIn(Init, loopAround(Header));
  if (!Start || V.Ty.What != ir::Type::Integer)
    return std::nullopt;
  if (const MaybeValue Total = sumOf(V, Next, Loop))
    return computeInduction(Instance.Values, Iteration, ValueKind::Add, *Start,
                            *Total);

  const ir::Value &Step = F.value(skipConversions(F, Next, V.Ty));
  // The step must use the variable's own value: a conversion may only promote
  // it.
  const bool KeepsValue =
      Step.Ty == V.Ty ||
      (Step.Ty.What == ir::Type::Integer && Step.Ty.Bits > V.Ty.Bits &&
       (Step.Ty.IsSigned || !V.Ty.IsSigned));
  if (Step.What != ir::Value::Binary || !KeepsValue)
    return std::nullopt;
  const std::optional<ValueKind> Kind = kindOf(Step.binary());
  const auto IsVariable = [&](ir::ValueId Operand) {
    const ir::Value &Each = F.value(Operand);
    return &Each == &V ||
           (Each.What == ir::Value::Convert && Each.Ty == Step.Ty &&
            &F.value(Each.Operands[0]) == &V);
  };
  ir::ValueId By = Step.Operands[1];
  if (!IsVariable(Step.Operands[0])) {
    if (Kind != ValueKind::Mul || !IsVariable(By))
      return std::nullopt;
    By = Step.Operands[0];
  }
  const MaybeValue Amount = amountIn(By, Loop);
  if (!Amount || !Kind)
    return std::nullopt;
  return computeInduction(Instance.Values, Iteration, *Kind, *Start,
                          Instance.Values.cast(*Amount, *valueTypeOf(Step.Ty)));
}

/// Returns the value of a phi where the paths of a branch join: a selection by
/// the conditions of the paths.
std::optional<ValueId> BoundFunction::joined(const ir::Value &V) {
  ir::Block *B = F.blocks()[V.Block].get();
  const auto *Node = Dominance.getNode(B);
  if (!Node || !Node->getIDom())
    return std::nullopt;
  ir::Block *Above = Node->getIDom()->getBlock();
  if (loopOf(Above) != loopOf(B))
    return std::nullopt;
  // For two exits of one loop, the condition that separates them is not known
  // here.
  if (llvm::count_if(B->Predecessors, [&](const ir::Block *Before) {
        return loopOf(Before) != loopOf(B);
      }) > 1)
    return std::nullopt;
  ValueGraph &Values = Instance.Values;
  const bool IsBoolean = V.Ty.What == ir::Type::Boolean;
  MaybeValue Result;
  for (auto [Before, Operand] :
       llvm::reverse(llvm::zip_equal(B->Predecessors, V.Operands))) {
    const MaybeValue Each = valueIn(Operand, loopOf(Before));
    if (!Each)
      return std::nullopt;
    if (!Result || Result == Each) {
      Result = Each;
      continue;
    }
    const MaybeValue Way = wayCondition(Above, Before, B);
    if (!Way)
      return std::nullopt;
    const ValueId If = *Way;
    // The phi of a logical operator, `a && b` or `a || b`.
    const std::optional<int64_t> Constant = Values.asConstant(*Each);
    if (IsBoolean && Constant)
      Result = *Constant ? either(If, *Result) : both(negation(If), *Result);
    else
      Result = Values.operation(ValueKind::Select, Values[*Result].Type,
                                {If, *Each, *Result});
  }
  return Result;
}

} // namespace cudaopt
