// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers calls: the intrinsics of LLVM and of NVVM (Intrinsics.def), and the
/// functions that the run-time system of the device provides.
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "PtxOperations.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"
#include <bit>

using namespace llvm;

namespace cudaopt::simt {

//===----------------------------------------------------------------------===//
// Intrinsics of NVVM
//===----------------------------------------------------------------------===//

namespace {
/// A call of an intrinsic of NVVM. Its member functions are those that
/// Intrinsics.def names; each gets the VARIANT of its row.
class NvvmCall {
public:
  NvvmCall(KernelLowering &K, const CallBase &Call) : K(K), Call(Call) {}

  void ignore(uint8_t) {}
  void leave(uint8_t) { K.endBlock(Opcode::Return); }
  void fence(uint8_t) { K.emit(Opcode::Fence, 32); }
  void clock(uint8_t) { K.emit(Opcode::Clock, bits(), result()); }

  void barrier(uint8_t HasCount) {
    K.emit(Opcode::Barrier, 32, NoRegister, barrierNumber(),
           HasCount ? argument(1) : NoRegister);
  }
  void barrierReduceAll(uint8_t Kind) {
    K.emit(Opcode::BarrierReduce, bits(), result(), barrierNumber(), NoRegister,
           argument(1))
        .Variant = Kind;
  }
  void barrierReduceCount(uint8_t Kind) {
    K.emit(Opcode::BarrierReduce, bits(), result(), barrierNumber(),
           argument(1), argument(2))
        .Variant = Kind;
  }
  void warpBarrier(uint8_t) {
    K.emit(Opcode::WarpBarrier, 32, NoRegister, argument(0));
  }

  /// Emits an operation on a barrier object: the first argument is its address,
  /// the second one, if any, a number.
  Operation &emitOnObject(Opcode Code) {
    Register Number = Call.arg_size() > 1 ? argument(1) : NoRegister;
    Operation &O = K.emit(Code, 64, NoRegister, argument(0), Number);
    O.Space = space(0);
    O.Align = 8;
    if (!Call.getType()->isVoidTy())
      O.D = result();
    return O;
  }
  void barrierObject(uint8_t Code) { emitOnObject(static_cast<Opcode>(Code)); }
  void arriveAtObject(uint8_t Flags) {
    emitOnObject(Opcode::MbarrierArrive).Variant = Flags;
  }
  void awaitCopies(uint8_t Flags) {
    emitOnObject(Opcode::MbarrierCopies).Variant = Flags;
  }
  void pendingCount(uint8_t) {
    K.define(&Call, K.convert(Opcode::Truncate, 32, 64, argument(0)));
  }

  void shuffle(uint8_t Kind) {
    Register Mask = argument(0);
    Operation &O = K.emit(Opcode::Shuffle, 32, result(), argument(1),
                          argument(2), argument(3));
    O.Variant = Kind;
    O.Count = Call.getType()->isStructTy() ? 2 : 1;
    O.Extra = {{Mask, 0}};
  }
  void vote(uint8_t Kind) {
    K.emit(Opcode::Vote, bits(), result(), argument(0), argument(1)).Variant =
        Kind;
  }
  void match(uint8_t Code) {
    K.emit(static_cast<Opcode>(Code),
           K.scalarBits(Call.getArgOperand(1)->getType()), result(),
           argument(0), argument(1));
  }
  void warpReduce(uint8_t Kind) {
    K.emit(Opcode::WarpReduce, 32, result(), argument(0), argument(1)).Variant =
        Kind;
  }
  void activeMask(uint8_t) { K.emit(Opcode::ActiveMask, 32, result()); }
  void elect(uint8_t) { K.emit(Opcode::Elect, 32, result(), argument(0)); }

  void uniformLoad(uint8_t) {
    uint64_t Align = cast<ConstantInt>(Call.getArgOperand(1))->getZExtValue();
    K.load(Call.getType(), result(), argument(0), {space(0), Align, false});
  }
  void isSpace(uint8_t Space) {
    K.emit(Opcode::IsSpace, 64, result(), argument(0)).Variant = Space;
  }
  void copyAsync(uint8_t Bytes) {
    Operation &O =
        K.emit(Opcode::CopyAsync, 8, NoRegister, argument(0), argument(1),
               Call.arg_size() > 2 ? argument(2) : NoRegister);
    O.Immediate = Bytes;
    O.Align = Bytes;
    O.Space = PointerSpace::Shared;
  }
  void commitAsync(uint8_t) { K.emit(Opcode::CommitAsync, 32); }
  void waitAsync(uint8_t) {
    const auto *Pending = cast<ConstantInt>(Call.getArgOperand(0));
    K.emit(Opcode::WaitAsync, 32).Immediate =
        static_cast<int64_t>(Pending->getZExtValue());
  }
  void waitAllAsync(uint8_t) {
    // wait.all also waits for copies that are in no group yet.
    K.emit(Opcode::CommitAsync, 32);
    K.emit(Opcode::WaitAsync, 32);
  }
  void atomic(uint8_t Operator) {
    PointerSpace Space = space(0);
    unsigned Bits = bits();
    Operation &O =
        K.emit(Opcode::AtomicRmw, Bits, result(), argument(0), argument(1));
    O.Variant = Operator;
    O.IsFloat = Call.getType()->isFloatingPointTy();
    finishAtomic(O, Space);
  }
  void compareAndSwap(uint8_t) {
    PointerSpace Space = space(0);
    Register Both = K.fresh(2);
    finishAtomic(K.emit(Opcode::AtomicCas, bits(), Both, argument(0),
                        argument(1), argument(2)),
                 Space);
    K.define(&Call, Both);
  }

  void highProduct(uint8_t IsSigned) {
    K.emit(IsSigned ? Opcode::MulHighS : Opcode::MulHighU, bits(), result(),
           argument(0), argument(1));
  }
  void product24(uint8_t IsSigned) {
    Register Distance = K.constant(8);
    auto Low24 = [&](Register R) {
      return K.op(IsSigned ? Opcode::ShrS : Opcode::ShrU, 32,
                  K.op(Opcode::Shl, 32, R, Distance), Distance);
    };
    K.emit(Opcode::Mul, 32, result(), Low24(argument(0)), Low24(argument(1)));
  }
  void sumOfDifference(uint8_t IsSigned) {
    Register Difference =
        absoluteDifference(K, IsSigned, bits(), argument(0), argument(1));
    K.emit(Opcode::Add, bits(), result(), Difference, argument(2));
  }
  void permute(uint8_t) {
    K.emit(Opcode::Permute, 32, result(), argument(0), argument(1),
           argument(2));
  }
  void funnel(uint8_t IsLeft) {
    // Unlike shf, the intrinsics have the high half as their first operand.
    K.define(&Call,
             clampedFunnel(K, IsLeft, argument(0), argument(1), argument(2)));
  }
  void findHighest(uint8_t IsSigned) {
    const auto *AsDistance = dyn_cast<ConstantInt>(Call.getArgOperand(1));
    if (!AsDistance || !AsDistance->isZero())
      return K.refuse("intrinsic '" + Call.getCalledFunction()->getName() +
                      "' that gives a distance");
    K.define(&Call, highestBit(K, IsSigned,
                               K.scalarBits(Call.getArgOperand(0)->getType()),
                               argument(0)));
  }
  void dot4(uint8_t Signs) {
    K.define(&Call, dotProduct(K, {8, bool(Signs & 2)}, {8, bool(Signs & 1)}, 0,
                               argument(0), argument(1), argument(2)));
  }
  void findNth(uint8_t) {
    K.define(&Call, nthBit(K, argument(0), argument(1), argument(2)));
  }
  void halfOfDouble(uint8_t Index) {
    K.define(&Call, K.element(Index, 32, 64, argument(0)));
  }
  void doubleOfHalves(uint8_t) {
    K.define(&Call, K.join({argument(0), argument(1)}, 32));
  }

private:
  Register result() { return K.registerOf(&Call); }
  Register argument(unsigned Index) {
    return K.registerOf(Call.getArgOperand(Index));
  }
  PointerSpace space(unsigned Index) {
    return K.spaceOf(Call.getArgOperand(Index)->getType());
  }
  unsigned bits() { return K.scalarBits(Call.getType()); }
  /// Returns the number of a barrier; NoRegister for barrier 0.
  Register barrierNumber() {
    const auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0));
    return Number && Number->isZero() ? NoRegister : argument(0);
  }
  /// Completes an atomic operation. Only those that name a scope are
  /// intrinsics.
  static void finishAtomic(Operation &O, PointerSpace Space) {
    O.Space = Space;
    O.IsVolatile = O.IsScoped = true;
    O.Align = O.Bits / 8u;
  }

  KernelLowering &K;
  const CallBase &Call;
};

struct NvvmRow {
  StringLiteral Name;
  void (NvvmCall::*Lower)(uint8_t);
  uint8_t Variant;
};
struct FloatRow {
  StringLiteral Name;
  Opcode Code;
  uint8_t Operands;
};
struct ConversionRow {
  StringLiteral Name;
  Opcode Code;
  uint8_t Bits, SourceBits;
};
} // namespace

static constexpr NvvmRow NvvmRows[] = {
#define NVVM_INTRINSIC(NAME, LOWERING, VARIANT)                                \
  {NAME, &NvvmCall::LOWERING, static_cast<uint8_t>(VARIANT)},
#include "Intrinsics.def"
};
static constexpr FloatRow FloatRows[] = {
#define FLOAT_INTRINSIC(NAME, OPCODE, OPERANDS)                                \
  {NAME, Opcode::OPCODE, OPERANDS},
#include "Intrinsics.def"
};
static constexpr ConversionRow ConversionRows[] = {
#define CONVERSION(NAME, OPCODE, BITS, SOURCE_BITS)                            \
  {NAME, Opcode::OPCODE, BITS, SOURCE_BITS},
#include "Intrinsics.def"
};

template <class Row, size_t N>
static const Row *find(const Row (&Rows)[N], StringRef Name) {
  const Row *Found =
      find_if(Rows, [Name](const Row &R) { return R.Name == Name; });
  return Found == std::end(Rows) ? nullptr : Found;
}

/// Returns true if \p Word is a suffix that names a type, as in "fabs.f32",
/// "fma.rn.f16x2", "add.rn.d".
static bool isTypeSuffix(StringRef Word) {
  return StringSwitch<bool>(Word)
      .Cases({"f", "d", "f16", "f16x2", "f32", "f64", "v2f16"}, true)
      .Default(false);
}

/// Returns the rounding mode of "floor", "ceil", "trunc" and "round";
/// std::nullopt for other names.
static std::optional<RoundingMode> integralRounding(StringRef Name) {
  return StringSwitch<std::optional<RoundingMode>>(Name)
      .Case("floor", RoundingMode::TowardNegative)
      .Case("ceil", RoundingMode::TowardPositive)
      .Case("trunc", RoundingMode::TowardZero)
      .Case("round", RoundingMode::NearestTiesToEven) // cvt.rni
      .Default(std::nullopt);
}

/// Lowers a floating-point operation or conversion such as "fma.rn.ftz.f",
/// "d2i.rz", "floor.d"; returns false if \p Name is of another kind.
static bool lowerFloatIntrinsic(KernelLowering &K, const CallBase &Call,
                                StringRef Name) {
  SmallVector<StringRef, 6> Words;
  Name.split(Words, '.');
  FloatModifiers How;
  for (StringRef Word : ArrayRef(Words).drop_front())
    if (!isTypeSuffix(Word) && !How.take(Word))
      return false;
  const auto *Type = Call.getType();
  if (const ConversionRow *Row = find(ConversionRows, Words.front())) {
    K.define(&Call,
             K.convert(Row->Code, Row->Bits, Row->SourceBits,
                       K.registerOf(Call.getArgOperand(0)),
                       static_cast<uint8_t>(How.Rounding) | How.Inexact));
    return true;
  }
  FloatRow Integral = {"", Opcode::FRound, 1};
  const FloatRow *Row = find(FloatRows, Words.front());
  if (auto Rounding = integralRounding(Words.front())) {
    How.Rounding = *Rounding;
    Row = &Integral;
  }
  if (!Row || !Type->isFPOrFPVectorTy() || Type->getScalarType()->isBFloatTy())
    return false;
  unsigned Count = K.registersOf(Call.getType());
  SmallVector<Register, 4> Results;
  for (unsigned E = 0; E < Count; ++E) {
    std::array<Register, 3> In = {NoRegister, NoRegister, NoRegister};
    for (unsigned I = 0; I < Row->Operands; ++I)
      In[I] = K.registerOf(Call.getArgOperand(I)) + static_cast<Register>(E);
    Results.push_back(floatOperation(K, Row->Code, K.scalarBits(Call.getType()),
                                     How, In[0], In[1], In[2]));
  }
  if (Count == 1) {
    K.define(&Call, Results.front());
    return true;
  }
  for (Register D = K.registerOf(&Call); Register Result : Results)
    K.emit(Opcode::Move, K.scalarBits(Call.getType()), D++, Result);
  return true;
}

/// Lowers an intrinsic of NVVM; returns false if it is unknown.
static bool lowerNvvm(KernelLowering &K, const CallBase &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  StringRef Register = Name;
  if (Register.consume_front("read.ptx.sreg."))
    if (auto Special = specialRegister(Register)) {
      K.emit(Opcode::SpecialRegister, K.scalarBits(Call.getType()),
             K.registerOf(&Call))
          .Variant = static_cast<uint8_t>(*Special);
      return true;
    }
  // The types of an overloaded intrinsic follow its name: drop words from the
  // end until the name is known.
  for (StringRef Shorter = Name; !Shorter.empty();
       Shorter = Shorter.rsplit('.').first) {
    if (const NvvmRow *Row = find(NvvmRows, Shorter)) {
      (NvvmCall(K, Call).*Row->Lower)(Row->Variant);
      return true;
    }
    if (!Shorter.contains('.'))
      break;
  }
  return lowerFloatIntrinsic(K, Call, Name);
}

//===----------------------------------------------------------------------===//
// Intrinsics of LLVM
//===----------------------------------------------------------------------===//

/// Lowers memcpy, memmove and memset of constant length. A memmove is a load of
/// all bytes followed by a store, since source and destination may overlap.
static void lowerMemoryTransfer(KernelLowering &K, const MemIntrinsic &Call) {
  const auto *Length = dyn_cast<ConstantInt>(Call.getLength());
  if (!Length)
    return K.refuse("a copy of variable length");
  uint64_t Bytes = Length->getZExtValue();
  if (Bytes == 0)
    return;
  const auto *Transfer = dyn_cast<MemTransferInst>(&Call);
  uint64_t Align = Call.getDestAlign().valueOrOne().value();
  if (Transfer)
    Align = std::min(Align, Transfer->getSourceAlign().valueOrOne().value());
  Align = std::min<uint64_t>({Align, 16, Bytes & -Bytes});

  auto Generic = [&K](const Value *Pointer) {
    return K.toGeneric(K.registerOf(Pointer), K.spaceOf(Pointer->getType()));
  };
  Register To = Generic(Call.getRawDest());
  Register From = Transfer ? Generic(Transfer->getRawSource())
                           : K.registerOf(cast<MemSetInst>(Call).getValue());
  if (!isa<MemMoveInst>(Call)) {
    Operation &O =
        K.emit(Transfer ? Opcode::Copy : Opcode::Fill, 8, NoRegister, To, From);
    O.Immediate = static_cast<int64_t>(Bytes);
    O.Align = static_cast<uint32_t>(Align);
    O.IsVolatile = Call.isVolatile();
    return;
  }
  constexpr uint64_t MostPieces = 64;
  uint64_t PieceBytes = std::min<uint64_t>(Align, 8);
  if (Bytes / PieceBytes > MostPieces)
    return K.refuse("a memmove of " + Twine(Bytes) + " bytes");
  Type *Piece = IntegerType::get(Call.getContext(),
                                 static_cast<unsigned>(PieceBytes) * 8);
  Type *Whole = ArrayType::get(Piece, Bytes / PieceBytes);
  Register Values = K.fresh(K.registersOf(Whole));
  KernelLowering::Access How = {PointerSpace::Generic, Align,
                                Call.isVolatile()};
  K.load(Whole, Values, From, How);
  K.store(Whole, Values, To, How);
}

static void lowerOverflow(KernelLowering &K, const WithOverflowInst &Call) {
  if (Call.getLHS()->getType()->isVectorTy())
    return K.refuse("overflow of vectors");
  bool IsSigned = Call.isSigned();
  Opcode Code = Call.getBinaryOp() == Instruction::Add
                    ? (IsSigned ? Opcode::AddOverflowS : Opcode::AddOverflowU)
                : Call.getBinaryOp() == Instruction::Sub
                    ? (IsSigned ? Opcode::SubOverflowS : Opcode::SubOverflowU)
                    : (IsSigned ? Opcode::MulOverflowS : Opcode::MulOverflowU);
  K.emit(Code, K.scalarBits(Call.getLHS()->getType()), K.registerOf(&Call),
         K.registerOf(Call.getLHS()), K.registerOf(Call.getRHS()));
}

/// Lowers a three-way comparison, which gives -1, 0 or 1: (A > B) - (A < B).
static void lowerThreeWay(KernelLowering &K, const CmpIntrinsic &Call) {
  if (Call.getType()->isVectorTy())
    return K.refuse("a three-way comparison of vectors");
  unsigned Bits = K.scalarBits(Call.getType());
  auto Holds = [&](CmpInst::Predicate P) {
    Register Bit =
        K.compare(P, K.scalarBits(Call.getLHS()->getType()),
                  K.registerOf(Call.getLHS()), K.registerOf(Call.getRHS()));
    return K.convert(Opcode::ZeroExtend, Bits, 1, Bit);
  };
  K.define(&Call, K.op(Opcode::Sub, Bits, Holds(Call.getGTPredicate()),
                       Holds(Call.getLTPredicate())));
}

/// Lowers any intrinsic.
static void lowerLLVM(KernelLowering &K, const IntrinsicInst &Call) {
  SmallVector<const Value *, 3> Operands;
  auto Simple = [&](Opcode Code, unsigned Count, uint8_t Variant) {
    for (unsigned I = 0; I < Count; ++I)
      Operands.push_back(Call.getArgOperand(I));
    K.elementwise(Call, Code, Operands, Variant);
  };
  switch (Call.getIntrinsicID()) {
#define LLVM_INTRINSIC(ID, OPCODE, OPERANDS, VARIANT)                          \
  case Intrinsic::ID:                                                          \
    return Simple(Opcode::OPCODE, OPERANDS, static_cast<uint8_t>(VARIANT));
#define IGNORED_INTRINSIC(ID) case Intrinsic::ID:
#include "Intrinsics.def"
    return;
#define SAME_INTRINSIC(ID) case Intrinsic::ID:
#include "Intrinsics.def"
    return K.define(&Call, K.registerOf(Call.getArgOperand(0)));
  case Intrinsic::is_fpclass: {
    const auto *Mask = cast<ConstantInt>(Call.getArgOperand(1));
    return K.elementwise(Call, Opcode::FClass, {Call.getArgOperand(0)}, 0,
                         static_cast<int64_t>(Mask->getZExtValue()));
  }
  case Intrinsic::objectsize: {
    bool Least = cast<ConstantInt>(Call.getArgOperand(1))->isOne();
    return K.define(&Call, K.constant(Least ? 0 : ~uint64_t(0)));
  }
  case Intrinsic::is_constant:
    return K.define(&Call, K.constant(0));
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
    return K.endBlock(Opcode::Trap);
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
    return lowerThreeWay(K, cast<CmpIntrinsic>(Call));
  default:
    break;
  }
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&Call))
    return lowerMemoryTransfer(K, *Memory);
  if (const auto *Overflow = dyn_cast<WithOverflowInst>(&Call))
    return lowerOverflow(K, *Overflow);
  if (!lowerNvvm(K, Call))
    K.refuse("intrinsic '" + Call.getCalledFunction()->getName() + "'");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void lowerCall(KernelLowering &K, const CallBase &Call) {
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!Callee)
    return K.refuse("a call through a pointer");
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return lowerLLVM(K, *Intrinsic);
  if (!Callee->isDeclaration())
    return Callee->hasFnAttribute(Attribute::AlwaysInline)
               ? K.refuse("a call of '" + sourceName(*Callee) +
                          "' that is not inlined")
               : K.refuse("recursion through '" + sourceName(*Callee) + "'");
  auto Argument = [&](unsigned Index) {
    return K.registerOf(Call.getArgOperand(Index));
  };
  if (Callee->getName() == "vprintf" && Call.arg_size() == 2)
    K.emit(Opcode::Print, 32, K.registerOf(&Call), Argument(0), Argument(1));
  else if (Callee->getName() == "__assertfail" && Call.arg_size() == 5)
    K.emit(Opcode::AssertFail, 32, NoRegister, Argument(0), Argument(1),
           Argument(2));
  else
    K.fail("function '" + sourceName(*Callee) + "' has no body here");
}

} // namespace cudaopt::simt
