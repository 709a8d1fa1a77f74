// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers inline assembly, statement by statement: the PTX that the toolkit's
/// headers use (Ptx/Instructions.def).
//===----------------------------------------------------------------------===//

#include "AsmLowering.h"
#include "Bfloat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace cudaopt::simt {

const AsmLowering::Row AsmLowering::Rows[] = {
#define PTX(NAME, LOWERING, EFFECT) {NAME, &AsmLowering::LOWERING},
#include "cudaopt/Ptx/Instructions.def"
};

const ArithmeticRow AsmLowering::ArithmeticRows[] = {
#define PTX_ARITHMETIC(NAME, OPERANDS, SIGNED, UNSIGNED, FLOAT)                \
  {NAME, OPERANDS, operation::SIGNED, operation::UNSIGNED, operation::FLOAT},
#include "cudaopt/Ptx/Instructions.def"
};

void lowerAsm(KernelLowering &K, const CallBase &Call) {
  AsmLowering(K, Call).run();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void AsmLowering::run() {
  std::optional<std::vector<PtxStatement>> Statements =
      PtxParser(Asm.getAsmString()).parse();
  if (!Statements || !bindArguments())
    return refuse();
  for (const PtxStatement &S : *Statements) {
    lower(S);
    if (K.hasFailed() || HasLeft)
      return;
  }
  defineResults();
}

/// Refuses the whole piece: "inline assembly 'mov.u32 $0, %envreg1;' is not
/// modelled". The text is put on one line and cut.
void AsmLowering::refuse() {
  constexpr size_t Longest = 100;
  std::string Text;
  for (StringRef Rest = Asm.getAsmString(); !Rest.trim().empty();) {
    auto [Word, Behind] = getToken(Rest);
    Text += (Text.empty() ? "" : " ") + Word.str();
    Rest = Behind;
  }
  if (Text.size() > Longest)
    Text = Text.substr(0, Longest) + "...";
  K.refuse("inline assembly '" + Text + "'");
}

/// Numbers the constraints as LLVM does: $0 is the first one, outputs come
/// before inputs, and clobbers have no number. Each becomes a slot.
bool AsmLowering::bindArguments() {
  unsigned NextInput = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.isIndirect || C.Type == InlineAsm::isLabel)
      return false;
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.Type == InlineAsm::isOutput) {
      Type *T = Call.getType();
      if (T->isStructTy())
        T = T->getStructElementType(NumResults);
      Arguments.push_back({K.constant(0), K.scalarBits(T)});
      ArgumentValues.push_back(nullptr);
      ++NumResults;
      continue;
    }
    const Value *In = Call.getArgOperand(NextInput++);
    if (K.registersOf(In->getType()) != 1)
      return false;
    Slot S = {K.registerOf(In), K.scalarBits(In->getType())};
    // An output that is also an input ("+r") begins with the value of the input
    // that is tied to it.
    if (C.hasMatchingInput() || (!C.Codes.empty() && isDigit(C.Codes[0][0])))
      if (unsigned Tied = 0; !StringRef(C.Codes[0]).getAsInteger(10, Tied))
        Arguments[Tied] = S;
    Arguments.push_back(S);
    ArgumentValues.push_back(In);
  }
  return true;
}

/// Several results are the members of a struct.
void AsmLowering::defineResults() {
  if (Call.getType()->isVoidTy())
    return;
  if (!Call.getType()->isStructTy())
    return K.define(&Call, Arguments.front().Value);
  Register D = K.registerOf(&Call);
  for (unsigned I = 0; I < NumResults; ++I)
    K.emit(Opcode::Move, Arguments[I].Bits, D++, Arguments[I].Value);
}

void AsmLowering::declare(const PtxStatement &S) {
  std::optional<PtxType> T =
      S.Words.size() == 1 ? parsePtxType(S.Words.front()) : std::nullopt;
  if (!T)
    return refuse();
  for (const PtxOperand &O : S.Operands)
    Scopes.back()[O.Name] = {K.constant(0), T->width()};
}

/// The words of an instruction are sorted into types, modifiers and the rest,
/// which the lowering function must take word by word.
void AsmLowering::lower(const PtxStatement &S) {
  switch (S.What) {
  case PtxStatement::Kind::Open:
    Scopes.emplace_back();
    return;
  case PtxStatement::Kind::Close:
    if (Scopes.size() == 1)
      return refuse();
    Scopes.pop_back();
    return;
  case PtxStatement::Kind::Declare:
    return declare(S);
  case PtxStatement::Kind::Instruction:
    break;
  }
  Current = &S;
  Guard = NoRegister;
  if (S.Guard)
    Guard = read(*S.Guard, 1);
  Words.clear();
  Types.clear();
  How = FloatModifiers();
  Compared.reset();
  for (StringRef Word : ArrayRef(S.Words).drop_front())
    if (std::optional<PtxType> T = parsePtxType(Word))
      Types.push_back(*T);
    else if (!How.take(Word))
      Words.push_back(Word);
  instruction();
  if (!Words.empty())
    refuse();
}

void AsmLowering::instruction() {
  StringRef Name = Current->Words.front();
  for (const ArithmeticRow &R : ArithmeticRows)
    if (R.Name == Name)
      return arithmetic(R);
  for (const Row &R : Rows)
    if (R.Name == Name)
      return (this->*R.Lower)();
  refuse();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool AsmLowering::takeWord(StringRef Word) {
  auto *Found = find(Words, Word);
  if (Found == Words.end())
    return false;
  Words.erase(Found);
  return true;
}

StringRef AsmLowering::takeOneOf(ArrayRef<StringRef> Candidates) {
  for (StringRef Candidate : Candidates)
    if (takeWord(Candidate))
      return Candidate;
  return "";
}

PtxType AsmLowering::type(unsigned Index) {
  if (Index < Types.size())
    return Types[Index];
  refuse();
  return {};
}

const PtxOperand &AsmLowering::operand(unsigned Index) {
  static const PtxOperand Missing;
  if (Index < Current->Operands.size())
    return Current->Operands[Index];
  refuse();
  return Missing;
}

Slot *AsmLowering::slotOf(const PtxOperand &O) {
  if (O.What == PtxOperand::Kind::Argument)
    return O.Value < Arguments.size() ? &Arguments[O.Value] : nullptr;
  if (O.What == PtxOperand::Kind::Name)
    for (auto &Scope : reverse(Scopes))
      if (auto Found = Scope.find(O.Name); Found != Scope.end())
        return &Found->second;
  return nullptr;
}

/// Returns the value of a special register or constant of PTX, such as %tid.x
/// or WARP_SZ.
Register AsmLowering::readSpecial(StringRef Name, unsigned Bits) {
  if (Name == "WARP_SZ")
    return K.constant(WarpSize);
  if (Name == "%clock" || Name == "%clock64" || Name == "%globaltimer" ||
      Name == "%clock_hi" || Name == "%globaltimer_lo")
    return K.op(Opcode::Clock, Bits);
  std::string Dotted = Name.drop_front().str();
  if (StringRef(Dotted).starts_with("lanemask_"))
    Dotted[strlen("lanemask")] = '.';
  std::optional<SpecialReg> Special = specialRegister(Dotted);
  if (Special && Name.starts_with("%"))
    return K.op(Opcode::SpecialRegister, Bits, NoRegister, NoRegister,
                NoRegister, static_cast<uint8_t>(*Special));
  refuse();
  return K.constant(0);
}

/// A constant is cut to the width; a register of the text is truncated or
/// extended; any other name must be that of a special register.
Register AsmLowering::read(const PtxOperand &O, unsigned Bits,
                           bool SignExtends) {
  uint64_t Mask = Bits < 64 ? (uint64_t(1) << Bits) - 1 : ~uint64_t(0);
  if (O.What == PtxOperand::Kind::Immediate) {
    if (O.IsFloat && O.FloatBits != Bits)
      refuse();
    return K.constant(O.Value & Mask);
  }
  const Slot *S = slotOf(O);
  if (!S && O.What == PtxOperand::Kind::Name)
    return readSpecial(O.Name, Bits);
  if (!S) {
    refuse();
    return K.constant(0);
  }
  Register R = S->Value;
  if (O.IsNegated)
    R = K.op(Opcode::Xor, 1, R, K.constant(1));
  if (S->Bits > Bits)
    return K.convert(Opcode::Truncate, Bits, S->Bits, R);
  if (S->Bits < Bits)
    return K.convert(SignExtends ? Opcode::SignExtend : Opcode::ZeroExtend,
                     Bits, S->Bits, R);
  return R;
}

/// The operand may be a number of the text, or an argument that is a constant
/// ("n").
std::optional<uint64_t> AsmLowering::immediate(unsigned Index) {
  const PtxOperand &O = operand(Index);
  if (O.What == PtxOperand::Kind::Immediate && !O.IsFloat)
    return O.Value;
  if (O.What == PtxOperand::Kind::Argument && O.Value < ArgumentValues.size())
    if (const Value *V = ArgumentValues[O.Value])
      if (const auto *C = dyn_cast<ConstantInt>(V))
        return C->getZExtValue();
  return std::nullopt;
}

/// Under a guard the register keeps its old value in the lanes whose guard is
/// false. The name "_" stands for a result that is not wanted.
void AsmLowering::write(const PtxOperand &O, Register Value, unsigned Bits,
                        bool IsSigned) {
  if (O.What == PtxOperand::Kind::Name && O.Name == "_")
    return;
  Slot *S = slotOf(O);
  if (!S || S->Bits < Bits)
    return refuse();
  if (S->Bits > Bits)
    Value = K.convert(IsSigned ? Opcode::SignExtend : Opcode::ZeroExtend,
                      S->Bits, Bits, Value);
  S->Value = Guard == NoRegister
                 ? Value
                 : K.op(Opcode::Select, S->Bits, Guard, Value, S->Value);
}

bool AsmLowering::isGuarded() {
  if (Guard != NoRegister)
    refuse();
  return Guard != NoRegister;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// mov, which can also join parts of a register ({a, b} to c), or split it.
void AsmLowering::move() {
  unsigned Bits = type().width();
  const PtxOperand &D = operand(0), &S = operand(1);
  auto Parts = static_cast<unsigned>(std::max(D.Parts.size(), S.Parts.size()));
  if (Parts == 0)
    return write(read(1));
  if (Bits % Parts || (!D.Parts.empty() && !S.Parts.empty()) ||
      D.What == PtxOperand::Kind::Pair || S.What == PtxOperand::Kind::Pair)
    return refuse();
  if (D.Parts.empty()) {
    SmallVector<Register, 4> Joined;
    for (const PtxOperand &Part : S.Parts)
      Joined.push_back(read(Part, Bits / Parts));
    return write(K.join(Joined, Bits / Parts));
  }
  Register Whole = read(1);
  for (auto [Index, Part] : enumerate(D.Parts))
    write(Part,
          K.element(static_cast<unsigned>(Index), Bits / Parts, Bits, Whole),
          Bits / Parts);
}

/// Emits the conversion of one lane; returns NoRegister if it is not modelled.
Register AsmLowering::converted(PtxType To, PtxType From, Register R) {
  const uint8_t Rounding = static_cast<uint8_t>(How.Rounding) | How.Inexact;
  if (From.IsBrain) {
    R = floatOfBfloat(K, R);
    From.Bits = 32;
    From.IsBrain = false;
  }
  if (To.IsBrain) {
    if (How.ToIntegral)
      R = K.op(Opcode::FRound, 32, R, NoRegister, NoRegister, Rounding);
    if (From.isFloat() && From.Bits == 32)
      return bfloatOfFloat(K, R, How.Rounding);
    if (How.ToIntegral || How.Rounding != RoundingMode::NearestTiesToEven)
      return NoRegister;
    if (From.isFloat() && From.Bits == 64)
      return bfloatConvertedFrom64(K, R);
    // Integers of up to 53 bits are exact as doubles.
    if (!From.isFloat() && From.Bits <= 32)
      return bfloatOfDouble(
          K, K.convert(From.isSigned() ? Opcode::SToF : Opcode::UToF, 64,
                       From.Bits, R, Rounding));
    return NoRegister;
  }
  if (!To.isFloat())
    return K.convert(To.isSigned() ? Opcode::FToS : Opcode::FToU, To.Bits,
                     From.Bits, R, Rounding);
  if (!From.isFloat())
    return K.convert(From.isSigned() ? Opcode::SToF : Opcode::UToF, To.Bits,
                     From.Bits, R, Rounding);
  if (To.Bits > From.Bits)
    return K.convert(Opcode::FExtend, To.Bits, From.Bits, R, How.Inexact);
  if (To.Bits < From.Bits)
    return K.convert(Opcode::FTruncate, To.Bits, From.Bits, R, Rounding);
  return How.ToIntegral ? K.op(Opcode::FRound, To.Bits, R, NoRegister,
                               NoRegister, Rounding)
                        : R;
}

/// cvt between integers, floating-point types and packed floats.
void AsmLowering::convert() {
  PtxType To = type(0), From = type(1);
  bool IsClamped = How.Saturate || How.Relu;
  if (!To.isFloat() && !From.isFloat()) {
    if (IsClamped)
      return refuse();
    Register R = read(operand(1), From.Bits);
    if (From.Bits < To.Bits)
      R = K.convert(From.isSigned() ? Opcode::SignExtend : Opcode::ZeroExtend,
                    To.Bits, From.Bits, R);
    else if (From.Bits > To.Bits)
      R = K.convert(Opcode::Truncate, To.Bits, From.Bits, R);
    // A wider register is filled by the type of the result.
    return write(operand(0), R, To.Bits, To.isSigned());
  }
  // cvt.rn.f16x2.f32 packs two registers into one; the first source becomes the
  // upper half.
  if (From.Lanes != 1 || (IsClamped && (!To.isFloat() || To.IsBrain)) ||
      (To.Lanes == 2 && !From.isFloat()))
    return refuse();
  SmallVector<Register, 2> Lanes;
  for (unsigned Lane = To.Lanes; Lane > 0; --Lane) {
    Register R = converted(To, From, read(operand(Lane), From.Bits));
    if (R == NoRegister)
      return refuse();
    if (How.Saturate)
      R = K.op(Opcode::FSaturate, To.Bits, R);
    if (How.Relu)
      R = K.op(Opcode::FMaxNaN, To.Bits, R, K.constant(0));
    Lanes.push_back(R);
  }
  write(Lanes.size() == 1 ? Lanes.front() : K.join(Lanes, To.Bits));
}

} // namespace cudaopt::simt
