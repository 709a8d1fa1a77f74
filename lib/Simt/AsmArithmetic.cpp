// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers the arithmetic, comparisons and selections of inline assembly. The
/// semantics are those of the PTX ISA.
//===----------------------------------------------------------------------===//

#include "AsmLowering.h"
#include "Bfloat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>

namespace cudaopt::simt {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Bfloat16 and integers may refuse a modifier, which shows as NoRegister.
Register AsmLowering::perLane(Opcode Code, llvm::ArrayRef<Register> Sources) {
  PtxType T = type();
  llvm::SmallVector<Register, 2> Results;
  for (unsigned Lane = 0; Lane < T.Lanes; ++Lane) {
    std::array<Register, 3> In = {NoRegister, NoRegister, NoRegister};
    for (auto [Index, Source] : llvm::enumerate(Sources))
      In[Index] =
          T.Lanes == 1 ? Source : K.element(Lane, T.Bits, T.width(), Source);
    Results.push_back(
        T.IsBrain ? bfloatOperation(K, Code, How, In[0], In[1], In[2])
        : T.isFloat()
            ? floatOperation(K, Code, T.Bits, How, In[0], In[1], In[2])
            : integerOperation(K, Code, T.Bits, How, In[0], In[1], In[2]));
  }
  if (llvm::is_contained(Results, NoRegister)) {
    refuse();
    return K.constant(0);
  }
  return T.Lanes == 1 ? Results.front() : K.join(Results, T.Bits);
}

void AsmLowering::arithmetic(const ArithmeticRow &R) {
  PtxType T = type();
  Opcode Code = T.isFloat() ? R.Float : T.isSigned() ? R.Signed : R.Unsigned;
  if (Code == operation::None)
    return refuse();
  llvm::SmallVector<Register, 3> Sources;
  for (unsigned I = 1; I <= R.Operands; ++I)
    Sources.push_back(read(I));
  write(perLane(Code, Sources));
}

void AsmLowering::negate() {
  if (type().isFloat())
    return write(perLane(Opcode::FNeg, {read(1)}));
  write(K.op(Opcode::Sub, type().Bits, K.constant(0), read(1)));
}

void AsmLowering::complement() {
  unsigned Bits = type().Bits;
  write(K.op(Opcode::Xor, Bits, read(1),
             K.constant(~uint64_t(0) >> (64 - Bits))));
}

/// With a carry in, the sum is computed in two steps; at most one of them
/// carries (or borrows), so that the carry out is the disjunction.
std::pair<Register, Register> AsmLowering::sumWithCarry(bool IsSub,
                                                        unsigned Bits,
                                                        Register A, Register B,
                                                        Register CarryIn) {
  Opcode Code = IsSub ? Opcode::SubOverflowU : Opcode::AddOverflowU;
  Register Sum = K.fresh(2);
  K.emit(Code, Bits, Sum, A, B);
  if (CarryIn == NoRegister)
    return {Sum, Sum + 1};
  Register All = K.fresh(2);
  K.emit(Code, Bits, All, Sum, K.convert(Opcode::ZeroExtend, Bits, 1, CarryIn));
  return {All, K.op(Opcode::Or, 1, Sum + 1, All + 1)};
}

/// add, addc, sub, subc. The carry bit is a register of the hardware, which a
/// guarded instruction would change conditionally: that is refused.
void AsmLowering::sum() {
  llvm::StringRef Name = Current->Words.front();
  bool IsSub = Name.starts_with("sub"), TakesCarry = Name.ends_with("c");
  bool GivesCarry = takeWord("cc");
  if (type().isFloat())
    return write(
        perLane(IsSub ? Opcode::FSub : Opcode::FAdd, {read(1), read(2)}));
  if (How.Saturate) {
    if (!type().isSigned() || type().Bits != 32 || TakesCarry || GivesCarry)
      return refuse();
    return write(
        K.op(IsSub ? Opcode::SubSatS : Opcode::AddSatS, 32, read(1), read(2)));
  }
  if (!TakesCarry && !GivesCarry)
    return write(
        K.op(IsSub ? Opcode::Sub : Opcode::Add, type().Bits, read(1), read(2)));
  if ((TakesCarry && Carry == NoRegister) || isGuarded())
    return refuse();
  auto [Result, CarryOut] = sumWithCarry(IsSub, type().Bits, read(1), read(2),
                                         TakesCarry ? Carry : NoRegister);
  if (GivesCarry)
    Carry = CarryOut;
  write(Result);
}

Register AsmLowering::widened(unsigned Index, bool IsWide) {
  PtxType T = type();
  Register R = read(Index);
  return IsWide
             ? K.convert(T.isSigned() ? Opcode::SignExtend : Opcode::ZeroExtend,
                         T.Bits * 2, T.Bits, R)
             : R;
}

/// mul, mad and madc: the low half, the high half, or the whole of the product.
void AsmLowering::product() {
  llvm::StringRef Name = Current->Words.front();
  PtxType T = type();
  bool IsSum = Name != "mul";
  if (T.isFloat())
    return write(IsSum ? perLane(Opcode::Fma, {read(1), read(2), read(3)})
                       : perLane(Opcode::FMul, {read(1), read(2)}));
  bool GivesCarry = takeWord("cc"), TakesCarry = Name == "madc";
  llvm::StringRef Part = takeOneOf({"lo", "hi", "wide"});
  bool IsWide = Part == "wide";
  if (Part.empty() || How.Saturate || (IsWide && T.Bits > 32) ||
      (TakesCarry && Carry == NoRegister) ||
      ((TakesCarry || GivesCarry) && (IsWide || isGuarded())))
    return refuse();
  unsigned Bits = IsWide ? T.Bits * 2 : T.Bits;
  Register A = widened(1, IsWide), B = widened(2, IsWide);
  Opcode Code = Part != "hi"   ? Opcode::Mul
                : T.isSigned() ? Opcode::MulHighS
                               : Opcode::MulHighU;
  Register Result = K.op(Code, Bits, A, B);
  if (TakesCarry || GivesCarry) {
    auto [Sum, CarryOut] = sumWithCarry(/*IsSub=*/false, Bits, Result, read(3),
                                        TakesCarry ? Carry : NoRegister);
    if (GivesCarry)
      Carry = CarryOut;
    Result = Sum;
  } else if (IsSum) {
    Result = K.op(Opcode::Add, Bits, Result, read(operand(3), Bits));
  }
  write(operand(0), Result, Bits, T.isSigned());
}

void AsmLowering::shift() {
  PtxType T = type();
  Opcode Code = Current->Words.front() == "shl" ? Opcode::Shl
                : T.isSigned()                  ? Opcode::ShrS
                                                : Opcode::ShrU;
  write(K.op(Code, T.Bits, read(1), read(operand(2), 32)));
}

/// shf: a funnel shift of two registers. The first source is the low half.
void AsmLowering::funnel() {
  bool IsLeft = !takeOneOf({"l"}).empty();
  if (!IsLeft && !takeWord("r"))
    return refuse();
  Register Low = read(1), High = read(2), Distance = read(3);
  if (takeWord("clamp"))
    return write(clampedFunnel(K, IsLeft, High, Low, Distance));
  if (!takeWord("wrap"))
    return refuse();
  write(K.op(IsLeft ? Opcode::FunnelL : Opcode::FunnelR, 32, High, Low,
             Distance));
}

void AsmLowering::countBits() {
  bool IsCount = Current->Words.front() == "popc";
  write(operand(0),
        K.op(IsCount ? Opcode::PopCount : Opcode::LeadingZeros, type().Bits,
             read(1)),
        32);
}

/// bfind: the position of the highest bit or, with .shiftamt, the distance by
/// which it would have to be shifted to the top.
void AsmLowering::findHighest() {
  bool AsDistance = takeWord("shiftamt");
  unsigned Bits = type().Bits;
  Register Found = highestBit(K, type().isSigned(), Bits, read(1));
  if (AsDistance) {
    // "None" is ~0 in both forms.
    Register Distance = K.op(Opcode::Sub, 32, K.constant(Bits - 1), Found);
    Register IsNone =
        K.compare(llvm::CmpInst::ICMP_EQ, 32, Found, K.constant(0xffffffff));
    Found = K.op(Opcode::Select, 32, IsNone, Found, Distance);
  }
  write(operand(0), Found, 32);
}

void AsmLowering::extractField() {
  write(K.op(type().isSigned() ? Opcode::BitFieldS : Opcode::BitFieldU,
             type().Bits, read(1), read(operand(2), 32), read(operand(3), 32)));
}

/// bfi d, a, b, position, length: inserts the low bits of a into b. Position
/// and length are taken modulo 256; shifts by more than the width give 0.
void AsmLowering::insertField() {
  unsigned Bits = type().Bits;
  auto Byte = [&](unsigned Index) {
    return K.op(Opcode::And, 32, read(operand(Index), 32), K.constant(0xff));
  };
  Register Position = Byte(3), Length = Byte(4);
  Register Ones =
      K.op(Opcode::Sub, Bits, K.op(Opcode::Shl, Bits, K.constant(1), Length),
           K.constant(1));
  Register Mask = K.op(Opcode::Shl, Bits, Ones, Position);
  Register New =
      K.op(Opcode::And, Bits, K.op(Opcode::Shl, Bits, read(1), Position), Mask);
  Register Kept = K.op(
      Opcode::And, Bits, read(2),
      K.op(Opcode::Xor, Bits, Mask, K.constant(~uint64_t(0) >> (64 - Bits))));
  write(K.op(Opcode::Or, Bits, Kept, New));
}

/// bmsk: a mask of length bits from position on, clamped or modulo 32.
void AsmLowering::makeMask() {
  bool IsWrap = takeWord("wrap");
  if (!IsWrap && !takeWord("clamp"))
    return refuse();
  auto Bound = [&](Register R) {
    return IsWrap ? K.op(Opcode::And, 32, R, K.constant(31)) : R;
  };
  Register Position = Bound(read(1)), Length = Bound(read(2));
  Register Ones =
      K.op(Opcode::Sub, 32, K.op(Opcode::Shl, 32, K.constant(1), Length),
           K.constant(1));
  write(K.op(Opcode::Shl, 32, Ones, Position));
}

/// lop3: any function of three bits, given as a table. It is lowered to the
/// disjunction of the minterms whose table entry is set.
void AsmLowering::logic3() {
  std::optional<uint64_t> Table = immediate(4);
  if (!Table)
    return refuse();
  Register AllOnes = K.constant(0xffffffff), Result = K.constant(0);
  for (unsigned Row = 0; Row < 8; ++Row) {
    if (!(*Table >> Row & 1))
      continue;
    Register Term = AllOnes;
    for (unsigned I = 0; I < 3; ++I) {
      Register In = read(I + 1);
      if (!(Row >> (2 - I) & 1))
        In = K.op(Opcode::Xor, 32, In, AllOnes);
      Term = K.op(Opcode::And, 32, Term, In);
    }
    Result = K.op(Opcode::Or, 32, Result, Term);
  }
  write(Result);
}

void AsmLowering::sumOfDifference() {
  PtxType T = type();
  write(K.op(Opcode::Add, T.Bits,
             absoluteDifference(K, T.isSigned(), T.Bits, read(1), read(2)),
             read(3)));
}

/// dp4a multiplies four bytes with four bytes, dp2a two halves with the lower
/// or the upper two bytes; both add the products to an accumulator.
void AsmLowering::dotProduct() {
  bool OfHalves = Current->Words.front() == "dp2a", IsHigh = false;
  if (OfHalves) {
    IsHigh = takeWord("hi");
    if (!IsHigh && !takeWord("lo"))
      return refuse();
  }
  write(simt::dotProduct(K, {OfHalves ? 16u : 8u, type(0).isSigned()},
                         {8, type(1).isSigned()}, IsHigh ? 2 : 0, read(1),
                         read(2), read(3)));
}

/// The SIMD video instructions, vadd4.u32.u32.u32 and the like, work on the
/// four bytes or two halves of a word. Elements are extended to 32 bits and
/// computed there; with .add (vabsdiff4) the results are summed up instead of
/// packed.
void AsmLowering::packedArithmetic() {
  llvm::StringRef Name = Current->Words.front().drop_front();
  unsigned Lanes = Name.back() == '2' ? 2 : 4, Bits = 32 / Lanes;
  Name = Name.drop_back();
  bool IsSet = Name == "set", IsSum = takeWord("add");
  bool IsSigned = type(IsSet ? 1 : 2).isSigned();
  if (type().isSigned() != IsSigned && !IsSet)
    return refuse();
  auto Code = llvm::StringSwitch<Opcode>(Name)
                  .Cases({"add", "avrg"}, Opcode::Add)
                  .Case("sub", Opcode::Sub)
                  .Case("min", IsSigned ? Opcode::MinS : Opcode::MinU)
                  .Case("max", IsSigned ? Opcode::MaxS : Opcode::MaxU)
                  .Default(operation::None);
  if ((IsSum && Name != "absdiff") || (Name == "avrg" && IsSigned))
    return refuse();
  std::optional<llvm::CmpInst::Predicate> Predicate;
  if (IsSet && !Words.empty())
    Predicate = predicateOf(Words.pop_back_val());
  if (IsSet && !Predicate)
    return refuse();

  PackedInteger Packed = {Bits, IsSigned};
  Register A = read(1), B = read(2), Sum = read(3);
  llvm::SmallVector<Register, 4> Results;
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    Register X = Packed.element(K, Lane, A), Y = Packed.element(K, Lane, B);
    Register R = IsSet ? K.convert(Opcode::ZeroExtend, 32, 1,
                                   K.compare(*Predicate, 32, X, Y))
                 : Name == "absdiff" ? absoluteDifference(K, IsSigned, 32, X, Y)
                                     : K.op(Code, 32, X, Y);
    if (Name == "avrg")
      R = K.op(Opcode::ShrU, 32, K.op(Opcode::Add, 32, R, K.constant(1)),
               K.constant(1));
    if (How.Saturate)
      R = clampedTo(Packed, R);
    if (IsSum)
      Sum = K.op(Opcode::Add, 32, Sum, R);
    Results.push_back(K.convert(Opcode::Truncate, Bits, 32, R));
  }
  write(IsSum ? Sum : K.join(Results, Bits));
}

/// Saturates the result of an operation on two elements to the range of one.
Register AsmLowering::clampedTo(PackedInteger Type, Register R) {
  uint64_t Most = (uint64_t(1) << (Type.Bits - Type.IsSigned)) - 1;
  uint64_t Least = Type.IsSigned ? 0xffffffff - Most : 0;
  return K.op(Opcode::MaxS, 32, K.op(Opcode::MinS, 32, R, K.constant(Most)),
              K.constant(Least));
}

void AsmLowering::copySign() {
  // In PTX the sign comes from the first source, in LLVM from the second one.
  write(K.op(Opcode::FCopySign, type().Bits, read(2), read(1)));
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The last type of the instruction is that of its sources. "lo", "ls", "hi"
/// and "hs" are unsigned whatever the type; those that end in "u" are true for
/// NaN.
std::optional<llvm::CmpInst::Predicate>
AsmLowering::predicateOf(llvm::StringRef Word) {
  PtxType T = type(Types.size() - 1);
  auto Pick = [&T](llvm::CmpInst::Predicate Signed,
                   llvm::CmpInst::Predicate Unsigned,
                   llvm::CmpInst::Predicate Float) {
    return T.isFloat() ? Float : T.isSigned() ? Signed : Unsigned;
  };
  auto Float = [&T](llvm::CmpInst::Predicate P) {
    return T.isFloat() ? std::optional(P) : std::nullopt;
  };
  return llvm::StringSwitch<std::optional<llvm::CmpInst::Predicate>>(Word)
      .Case("eq", Pick(llvm::CmpInst::ICMP_EQ, llvm::CmpInst::ICMP_EQ,
                       llvm::CmpInst::FCMP_OEQ))
      .Case("ne", Pick(llvm::CmpInst::ICMP_NE, llvm::CmpInst::ICMP_NE,
                       llvm::CmpInst::FCMP_ONE))
      .Case("lt", Pick(llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT,
                       llvm::CmpInst::FCMP_OLT))
      .Case("le", Pick(llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE,
                       llvm::CmpInst::FCMP_OLE))
      .Case("gt", Pick(llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT,
                       llvm::CmpInst::FCMP_OGT))
      .Case("ge", Pick(llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE,
                       llvm::CmpInst::FCMP_OGE))
      .Case("lo", llvm::CmpInst::ICMP_ULT)
      .Case("ls", llvm::CmpInst::ICMP_ULE)
      .Case("hi", llvm::CmpInst::ICMP_UGT)
      .Case("hs", llvm::CmpInst::ICMP_UGE)
      .Case("equ", Float(llvm::CmpInst::FCMP_UEQ))
      .Case("neu", Float(llvm::CmpInst::FCMP_UNE))
      .Case("ltu", Float(llvm::CmpInst::FCMP_ULT))
      .Case("leu", Float(llvm::CmpInst::FCMP_ULE))
      .Case("gtu", Float(llvm::CmpInst::FCMP_UGT))
      .Case("geu", Float(llvm::CmpInst::FCMP_UGE))
      .Case("num", Float(llvm::CmpInst::FCMP_ORD))
      .Default(std::nullopt);
}

/// The word of the predicate is taken once; a second lane uses the same
/// predicate. The word "nan" looks like a modifier (PropagateNaN), but is a
/// predicate here.
Register AsmLowering::comparison(unsigned Lane) {
  PtxType T = type(Types.size() - 1);
  std::optional<llvm::CmpInst::Predicate> Predicate;
  for (llvm::StringRef Word : Words)
    if ((Predicate = predicateOf(Word))) {
      takeWord(Word);
      Compared = Predicate;
      break;
    }
  if (!Compared && How.PropagateNaN && T.isFloat())
    Compared = llvm::CmpInst::FCMP_UNO;
  if (!Compared) {
    refuse();
    return K.constant(0);
  }
  auto In = [&](unsigned Index) {
    Register R = read(operand(Index), T.width());
    if (T.Lanes > 1)
      R = K.element(Lane, T.Bits, T.width(), R);
    return T.IsBrain ? floatOfBfloat(K, R) : R;
  };
  Register A = In(1), B = In(2);
  unsigned Bits = T.IsBrain ? 32 : T.Bits;
  if (!llvm::CmpInst::isFPPredicate(*Compared))
    return K.compare(*Compared, Bits, A, B);
  return K.op(Opcode::FCompare, Bits, A, B, NoRegister,
              static_cast<uint8_t>(*Compared) | How.Inexact);
}

/// setp p|q, a, b{, c}: p is the comparison, q its negation, both combined with
/// c by .and, .or or .xor. For packed types p and q are the two lanes.
void AsmLowering::setPredicate() {
  PtxType T = type();
  const PtxOperand &D = operand(0);
  bool IsPair = D.What == PtxOperand::Kind::Pair;
  Register Holds = comparison(0);
  if (T.Lanes == 2) {
    if (!IsPair)
      return refuse();
    write(D.Parts[0], Holds, 1);
    return write(D.Parts[1], comparison(1), 1);
  }
  llvm::StringRef Combined = takeOneOf({"and", "or", "xor"});
  auto Combine = [&](Register R) {
    if (Combined.empty())
      return R;
    Opcode Code = Combined == "and"  ? Opcode::And
                  : Combined == "or" ? Opcode::Or
                                     : Opcode::Xor;
    return K.op(Code, 1, R, readPredicate(3));
  };
  Register First = Combine(Holds);
  if (!IsPair)
    return write(D, First, 1);
  Register Second = Combine(K.op(Opcode::Xor, 1, Holds, K.constant(1)));
  write(D.Parts[0], First, 1);
  write(D.Parts[1], Second, 1);
}

/// set.lt.f16x2.f16x2 gives 1.0 or 0 in each lane; with an integer as result
/// type all ones or 0.
void AsmLowering::setMask() {
  PtxType To = type(0), From = type(1);
  if (From.Lanes == 2 && To.width() != 32)
    return refuse();
  unsigned Bits = From.Lanes == 2 ? 16 : To.Bits;
  uint64_t True = !To.isFloat() ? ~uint64_t(0) >> (64 - Bits)
                  : To.IsBrain  ? 0x3f80
                  : Bits == 16  ? 0x3c00
                                : 0x3f800000;
  if (To.isFloat() && Bits == 64)
    return refuse();
  llvm::SmallVector<Register, 2> Lanes;
  for (unsigned Lane = 0; Lane < From.Lanes; ++Lane)
    Lanes.push_back(K.op(Opcode::Select, Bits, comparison(Lane),
                         K.constant(True), K.constant(0)));
  write(operand(0), From.Lanes == 1 ? Lanes.front() : K.join(Lanes, Bits),
        To.width());
}

void AsmLowering::select() {
  write(K.op(Opcode::Select, type().Bits, readPredicate(3), read(1), read(2)));
}

/// slct: the first source if the third one is not negative, else the second
/// one; NaN selects the second one.
void AsmLowering::selectBySign() {
  PtxType By = type(1);
  Register IsPositive = K.compare(
      By.isFloat() ? llvm::CmpInst::FCMP_OGE : llvm::CmpInst::ICMP_SGE, By.Bits,
      read(operand(3), By.Bits), K.constant(0));
  write(K.op(Opcode::Select, type().Bits, IsPositive, read(1), read(2)));
}

} // namespace cudaopt::simt
