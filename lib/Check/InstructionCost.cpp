// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of costs. Numbers of instructions are those of nvcc 13.0 for
/// sm_90, read off SASS.
//===----------------------------------------------------------------------===//

#include "InstructionCost.h"

#include "ToolkitBodies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cudaopt;
using namespace cudaopt::check;

//===----------------------------------------------------------------------===//
// Pipes
//===----------------------------------------------------------------------===//

static InstructionMix onInteger(double Number = 1) {
  return {.Issued = Number, .Integer = Number};
}
static InstructionMix onFloat(double Number = 1) {
  return {.Issued = Number, .Float = Number};
}
static InstructionMix onDouble(double Number = 1) {
  return {.Issued = Number, .Double = Number};
}
/// An approximation by the special function unit, and \p Around instructions
/// that scale and refine it.
static InstructionMix onSpecial(double Around = 0) {
  return {.Issued = 1 + Around, .Float = Around, .Special = 1};
}
static InstructionMix onIssue(double Number = 1) { return {.Issued = Number}; }

/// Returns the number of 32-bit registers of an integer of type \p T.
static double wordsOf(const Type *T) {
  const unsigned Bits = T->getScalarSizeInBits();
  return Bits > 32 ? Bits / 32. : 1;
}

/// Returns the number of elements of \p T.
static double lanesOf(const Type *T) {
  const auto *Vector = dyn_cast<FixedVectorType>(T);
  return Vector ? Vector->getNumElements() : 1;
}

/// Returns the cost of an addition, product or fused product of type \p T. Two
/// halves are added by one instruction, which takes the pipe for two cycles.
static InstructionMix floatOperation(const Type *T) {
  const double Lanes = lanesOf(T);
  if (T->getScalarType()->isDoubleTy())
    return onDouble(Lanes);
  if (T->getScalarSizeInBits() == 16)
    return {.Issued = (Lanes + 1) / 2, .Float = Lanes};
  return onFloat(Lanes);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns the cost of a function of the toolkit that computes a number, by its
/// name without prefix and suffix.
static InstructionMix libraryCost(StringRef Name, const Type *T) {
  if (T->getScalarType()->isDoubleTy()) {
    const double Number = StringSwitch<double>(Name)
                              .Cases({"fabs", "fmin", "fmax"}, 2)
                              .Cases({"fma", "floor", "ceil", "rint"}, 1)
                              .Cases({"sqrt", "rsqrt", "rcp"}, 12)
                              .Default(30);
    return {.Issued = Number + 8, .Double = Number, .Special = 1};
  }
  const bool IsFast = Name.consume_front("__");
  Name.consume_back("f");
  const int Around =
      StringSwitch<int>(Name)
          .Cases({"fma", "fabs", "fmin", "fmax", "min", "max"}, 0)
          .Cases({"rsqrt", "exp2", "log2"}, 2)
          .Cases({"exp", "log", "sqrt", "rcp", "fdivide"}, 6)
          .Cases({"exp10", "log10", "tanh", "log1p"}, 12)
          .Cases({"sin", "cos"}, 20)
          .Cases({"sincos", "pow", "erf", "fmod"}, 40)
          .Default(3);
  if (Around == 0)
    return onFloat();
  return onSpecial(IsFast ? std::min(Around, 1) : Around);
}

static InstructionMix intrinsicCost(const IntrinsicInst &Call) {
  const Type *T = Call.getType();
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return floatOperation(T);
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return onInteger(lanesOf(T));
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::abs:
    return onInteger(wordsOf(T) * lanesOf(T));
  case Intrinsic::sqrt:
    return libraryCost(T->isDoubleTy() ? "sqrt" : "sqrtf", T);
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bitreverse:
    return onSpecial();
  case Intrinsic::fabs: // A modifier of an operand.
  case Intrinsic::assume:
  case Intrinsic::expect:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    return {};
  default:
    return Call.isAssumeLikeIntrinsic() ? InstructionMix() : onIssue();
  }
}

/// Returns the number of instructions of assembly.
static double linesOf(StringRef Assembly) {
  return std::max<size_t>(1, Assembly.count(';'));
}

static InstructionMix callCost(const CallBase &Call,
                               const SymbolTable &Symbols) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return intrinsicCost(*Intrinsic);
  if (const auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return onIssue(linesOf(Assembly->getAsmString()));
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return onIssue(10); // Arguments and results are passed in registers.
  const StringRef Name = nameOfToolkit(*Callee, Symbols);
  if (Name.starts_with("__shfl") || Name.starts_with("atomic"))
    return onIssue();
  if (Call.getType()->isFloatingPointTy())
    return libraryCost(Name, Call.getType());
  const unsigned Bits = Call.getType()->getScalarSizeInBits();
  if (Bits >= 16 && (Name.starts_with("__h") || Name.starts_with("operator"))) {
    // nvcc computes two halves by one instruction, which takes two cycles.
    const double Halves = Bits / 16.;
    return {.Issued = Halves / 2, .Float = Halves};
  }
  return onIssue();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {

/// The costs of the instructions of a function.
class CostTable {
public:
  explicit CostTable(const SymbolTable &Symbols) : Symbols(Symbols) {}

  InstructionMix costOf(const Instruction &I);

private:
  InstructionMix addressCost(const GEPOperator &GEP);
  InstructionMix integerCost(const BinaryOperator &I) const;
  InstructionMix floatCost(const BinaryOperator &I) const;

  /// An address without the constants that are added to it.
  using AddressKey = std::vector<std::pair<const Value *, int64_t>>;

  const SymbolTable &Symbols;
  std::set<AddressKey> Computed;
};

} // namespace

/// Removes extensions and additions of constants, which fold into the
/// displacement of an access.
static const Value *withoutDisplacement(const Value *V) {
  while (true) {
    const Value *Inner;
    if (match(V, m_SExt(m_Value(Inner))) || match(V, m_ZExt(m_Value(Inner))) ||
        match(V, m_c_Add(m_Value(Inner), m_ConstantInt())) ||
        match(V, m_DisjointOr(m_Value(Inner), m_ConstantInt())))
      V = Inner;
    else
      return V;
  }
}

InstructionMix CostTable::addressCost(const GEPOperator &GEP) {
  AddressKey Key;
  const Value *Base = &GEP;
  double Scaled = 0;
  while (const auto *Each = dyn_cast<GEPOperator>(Base)) {
    for (const Use &Index : Each->indices())
      if (!isa<Constant>(Index)) {
        const Value *Stripped = withoutDisplacement(Index);
        const auto *Of = Each->getSourceElementType();
        Key.push_back({Stripped, int64_t(Of->getScalarSizeInBits())});
        ++Scaled;
      }
    Base = Each->getPointerOperand()->stripPointerCasts();
    if (isa<Instruction>(Base) && !Base->hasOneUse() && !Key.empty())
      break;
  }
  if (Scaled == 0)
    return {};
  Key.push_back({Base, 0});
  return Computed.insert(Key).second ? onInteger(Scaled) : InstructionMix();
}

/// Returns true if every use of \p I is an index of an address, where constants
/// cost nothing.
static bool isOnlyIndex(const Value &I) {
  return all_of(I.users(), [](const User *U) {
    return isa<GetElementPtrInst>(U) ||
           ((isa<SExtInst>(U) || isa<ZExtInst>(U)) && isOnlyIndex(*U));
  });
}

InstructionMix CostTable::integerCost(const BinaryOperator &I) const {
  if (I.getType()->getScalarType()->isIntegerTy(1))
    return {}; // Part of the comparison.
  const double Words = wordsOf(I.getType()) * lanesOf(I.getType());
  const bool HasConstant = isa<Constant>(I.getOperand(1));
  switch (I.getOpcode()) {
  case Instruction::Mul:
    // Added to something by the same instruction.
    return {.Issued = Words, .Float = Words};
  case Instruction::Add:
  case Instruction::Sub:
    if (HasConstant && isOnlyIndex(I))
      return {};
    for (const Value *Operand : I.operands())
      if (Operand->hasOneUse() &&
          (match(Operand, m_Mul(m_Value(), m_Value())) ||
           match(Operand, m_Shl(m_Value(), m_ConstantInt())) ||
           match(Operand, m_Add(m_Value(), m_Value()))))
        return {};
    return onInteger(Words);
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    if (match(&I, m_DisjointOr(m_Value(), m_ConstantInt())) && isOnlyIndex(I))
      return {};
    for (const Value *Operand : I.operands())
      if (Operand->hasOneUse() && isa<BinaryOperator>(Operand) &&
          cast<BinaryOperator>(Operand)->isBitwiseLogicOp())
        return {}; // Of three operands.
    return onInteger(Words);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return HasConstant ? onInteger(4 * Words)
                       : InstructionMix{.Issued = 16 * Words,
                                        .Integer = 10 * Words,
                                        .Special = 3};
  default: // Shifts.
    return onInteger(Words);
  }
}

InstructionMix CostTable::floatCost(const BinaryOperator &I) const {
  const Type *T = I.getType();
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    // A product that is added once costs nothing of its own.
    if (I.getOpcode() == Instruction::FMul && I.hasOneUse())
      if (const auto *Sum = dyn_cast<BinaryOperator>(*I.user_begin());
          Sum &&
          (Sum->getOpcode() == Instruction::FAdd ||
           Sum->getOpcode() == Instruction::FSub) &&
          I.hasAllowContract())
        return {};
    return floatOperation(T);
  case Instruction::FDiv:
    if (T->getScalarType()->isDoubleTy())
      return {.Issued = 20, .Double = 12, .Special = 1};
    return onSpecial(8);
  default: // FRem.
    return onSpecial(40);
  }
}

InstructionMix CostTable::costOf(const Instruction &I) {
  if (const auto *GEP = dyn_cast<GEPOperator>(&I))
    return addressCost(*GEP);
  if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
    return Binary->getType()->isFPOrFPVectorTy() ? floatCost(*Binary)
                                                 : integerCost(*Binary);
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return callCost(*Call, Symbols);
  switch (I.getOpcode()) {
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return onIssue();
  case Instruction::ICmp:
    return onInteger(wordsOf(I.getOperand(0)->getType()));
  case Instruction::FCmp:
    return I.getOperand(0)->getType()->getScalarType()->isDoubleTy()
               ? onDouble()
               : onInteger();
  case Instruction::Select:
    return I.getType()->isIntegerTy(1)
               ? InstructionMix()
               : onInteger(wordsOf(I.getType()) * lanesOf(I.getType()));
  case Instruction::Br:
    return onIssue(cast<BranchInst>(I).isConditional());
  case Instruction::Switch:
    return onInteger(3);
  case Instruction::Ret:
  case Instruction::ShuffleVector:
    return onIssue();
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return onSpecial();
  default: // Phi nodes, casts and the like.
    return {};
  }
}

DenseMap<const BasicBlock *, InstructionMix>
cudaopt::check::costOfBlocks(const Module &M, const SymbolTable &Symbols) {
  DenseMap<const BasicBlock *, InstructionMix> Costs;
  for (const Function &F : M) {
    CostTable Table(Symbols);
    for (const Instruction &I : instructions(F))
      Costs[I.getParent()].add(Table.costOf(I), 1);
  }
  return Costs;
}
