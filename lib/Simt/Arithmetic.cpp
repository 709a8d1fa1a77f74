// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes numbers for all lanes of a warp at once. Inactive lanes may be
/// computed as well, since the loops are then vectorized, but keep their old
/// values.
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "FloatLanes.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace cudaopt::simt {

using llvm::AtomicRMWInst;
using llvm::CmpInst;

/// Division and remainder. By zero the hardware gives all ones; the caller
/// reports it.
static uint64_t divide(Opcode Code, unsigned Bits, uint64_t A, uint64_t B) {
  uint64_t Mask = maskOf(Bits);
  if (B == 0)
    return Mask;
  if (Code == Opcode::DivU)
    return A / B;
  if (Code == Opcode::RemU)
    return A % B;
  int64_t X = signExtend(A, Bits), Y = signExtend(B, Bits);
  // The quotient of the least number and -1 does not fit, which the host would
  // trap.
  if (Y == -1)
    return Code == Opcode::DivS ? (0 - A) & Mask : 0;
  return static_cast<uint64_t>(Code == Opcode::DivS ? X / Y : X % Y) & Mask;
}

/// The upper half of the product.
static uint64_t multiplyHigh(unsigned Bits, bool IsSigned, uint64_t A,
                             uint64_t B) {
  if (IsSigned) {
    auto Product =
        static_cast<__int128>(signExtend(A, Bits)) * signExtend(B, Bits);
    return static_cast<uint64_t>(Product >> Bits) & maskOf(Bits);
  }
  return static_cast<uint64_t>(static_cast<unsigned __int128>(A) * B >> Bits);
}

/// Returns the exact result of an operation that may overflow. Saturating
/// operations and those that return the overflow are derived from it.
static __int128 exact(Opcode Code, bool IsSigned, unsigned Bits, uint64_t A,
                      uint64_t B) {
  __int128 X = IsSigned ? signExtend(A, Bits) : static_cast<__int128>(A);
  __int128 Y = IsSigned ? signExtend(B, Bits) : static_cast<__int128>(B);
  switch (Code) {
  case Opcode::AddSatU:
  case Opcode::AddSatS:
  case Opcode::AddOverflowU:
  case Opcode::AddOverflowS:
    return X + Y;
  case Opcode::MulOverflowU: // Only the bits count: unsigned never overflows.
  case Opcode::MulOverflowS:
    return static_cast<__int128>(static_cast<unsigned __int128>(X) *
                                 static_cast<unsigned __int128>(Y));
  default:
    return X - Y;
  }
}

static uint64_t saturate(__int128 Value, bool IsSigned, unsigned Bits) {
  auto Max = static_cast<__int128>(maskOf(IsSigned ? Bits - 1 : Bits));
  __int128 Min = IsSigned ? -Max - 1 : 0;
  Value = Value < Min ? Min : Value > Max ? Max : Value;
  return static_cast<uint64_t>(Value) & maskOf(Bits);
}

static bool overflows(__int128 Value, bool IsSigned, unsigned Bits) {
  // An unsigned comparison, since a product of 64-bit numbers may look
  // negative.
  if (!IsSigned)
    return static_cast<unsigned __int128>(Value) >> Bits != 0;
  return Value !=
         static_cast<__int128>(signExtend(static_cast<uint64_t>(Value), Bits));
}

/// PTX prmt in its default mode: nibble I of \p Selector chooses byte I of the
/// result from the eight bytes of \p B and \p A; its top bit replicates the
/// sign instead.
static uint64_t permuteBytes(uint64_t A, uint64_t B, uint64_t Selector) {
  uint64_t Bytes = (A & maskOf(32)) | B << 32, Result = 0;
  for (unsigned I = 0; I < 4; ++I) {
    uint64_t Nibble = Selector >> (4 * I);
    uint64_t Value = Bytes >> (8 * (Nibble & 7)) & 0xff;
    if (Nibble & 8) // The sign, in all bits.
      Value = Value & 0x80 ? 0xff : 0;
    Result |= Value << (8 * I);
  }
  return Result;
}

/// PTX bfe: \p C bits of \p A from bit \p B on. Bits beyond the top are the
/// sign of the field, or zero.
static uint64_t bitField(unsigned Bits, bool IsSigned, uint64_t A, uint64_t B,
                         uint64_t C) {
  unsigned Position = B & 0xff, Length = C & 0xff;
  if (Length == 0)
    return 0;
  bool Sign = IsSigned && A >> std::min(Position + Length - 1, Bits - 1) & 1;
  uint64_t Field = Position < Bits ? A >> Position : 0;
  unsigned There = Position < Bits ? std::min(Length, Bits - Position) : 0;
  uint64_t Kept = There == 0 ? 0 : maskOf(There);
  return (Field & Kept) | (Sign ? maskOf(Bits) & ~Kept : 0);
}

static void compareIntegers(const Operation &Op, const Frame &F) {
  // Shifted to the top, numbers of any width compare as the host's signed ones.
  const unsigned S = 64 - Op.Bits;
  auto X = [&F, S](unsigned L) { return static_cast<int64_t>(F.A[L] << S); };
  auto Y = [&F, S](unsigned L) { return static_cast<int64_t>(F.B[L] << S); };
  const LaneValues &A = F.A, &B = F.B;
  switch (static_cast<CmpInst::Predicate>(Op.Variant)) {
  case CmpInst::ICMP_EQ:
    return F.lanes([&](unsigned L) { return A[L] == B[L]; });
  case CmpInst::ICMP_NE:
    return F.lanes([&](unsigned L) { return A[L] != B[L]; });
  case CmpInst::ICMP_UGT:
    return F.lanes([&](unsigned L) { return A[L] > B[L]; });
  case CmpInst::ICMP_UGE:
    return F.lanes([&](unsigned L) { return A[L] >= B[L]; });
  case CmpInst::ICMP_ULT:
    return F.lanes([&](unsigned L) { return A[L] < B[L]; });
  case CmpInst::ICMP_ULE:
    return F.lanes([&](unsigned L) { return A[L] <= B[L]; });
  case CmpInst::ICMP_SGT:
    return F.lanes([&](unsigned L) { return X(L) > Y(L); });
  case CmpInst::ICMP_SGE:
    return F.lanes([&](unsigned L) { return X(L) >= Y(L); });
  case CmpInst::ICMP_SLT:
    return F.lanes([&](unsigned L) { return X(L) < Y(L); });
  case CmpInst::ICMP_SLE:
    return F.lanes([&](unsigned L) { return X(L) <= Y(L); });
  default:
    llvm_unreachable("no predicate of integers");
  }
}

static void shiftIntegers(const Operation &Op, const Frame &F) {
  const unsigned Bits = Op.Bits;
  const uint64_t Mask = maskOf(Bits);
  const LaneValues &A = F.A, &B = F.B, &C = F.C;
  switch (Op.Code) {
  case Opcode::Shl:
    return F.lanes([&](unsigned L) {
      return B[L] < Bits ? A[L] << (B[L] & 63) & Mask : 0;
    });
  case Opcode::ShrU:
    return F.lanes(
        [&](unsigned L) { return B[L] < Bits ? A[L] >> (B[L] & 63) : 0; });
  case Opcode::ShrS:
    return F.lanes([&](unsigned L) {
      uint64_t By = B[L] < Bits ? B[L] : Bits - 1;
      return static_cast<uint64_t>(signExtend(A[L], Bits) >> By) & Mask;
    });
  case Opcode::FunnelL:
    return F.activeLanes([&](unsigned L) {
      uint64_t By = C[L] % Bits;
      return By ? (A[L] << By | B[L] >> (Bits - By)) & Mask : A[L];
    });
  default:
    return F.activeLanes([&](unsigned L) {
      uint64_t By = C[L] % Bits;
      return By ? (B[L] >> By | A[L] << (Bits - By)) & Mask : B[L];
    });
  }
}

static void countBits(const Operation &Op, const Frame &F) {
  const unsigned Bits = Op.Bits;
  const uint64_t Mask = maskOf(Bits);
  const LaneValues &A = F.A;
  switch (Op.Code) {
  case Opcode::Abs:
    return F.lanes([&](unsigned L) {
      return signExtend(A[L], Bits) < 0 ? (0 - A[L]) & Mask : A[L];
    });
  case Opcode::PopCount:
    return F.activeLanes([&](unsigned L) { return llvm::popcount(A[L]); });
  case Opcode::LeadingZeros:
    return F.activeLanes([&](unsigned L) -> uint64_t {
      return static_cast<unsigned>(llvm::countl_zero(A[L])) - (64 - Bits);
    });
  case Opcode::TrailingZeros:
    return F.activeLanes([&](unsigned L) -> uint64_t {
      return A[L] ? static_cast<unsigned>(llvm::countr_zero(A[L])) : Bits;
    });
  case Opcode::ByteSwap:
    return F.activeLanes(
        [&](unsigned L) { return llvm::byteswap(A[L]) >> (64 - Bits); });
  default:
    return F.activeLanes(
        [&](unsigned L) { return llvm::reverseBits(A[L]) >> (64 - Bits); });
  }
}

/// Operations that need the exact result: saturating ones, and those with the
/// overflow as a second result.
static void overflowing(const Operation &Op, Warp &W, const Frame &F) {
  const unsigned Bits = Op.Bits;
  bool IsSigned = Op.Code == Opcode::AddSatS || Op.Code == Opcode::SubSatS ||
                  Op.Code == Opcode::AddOverflowS ||
                  Op.Code == Opcode::SubOverflowS ||
                  Op.Code == Opcode::MulOverflowS;
  if (Op.Code < Opcode::AddOverflowU)
    return F.activeLanes([&](unsigned L) {
      return saturate(exact(Op.Code, IsSigned, Bits, F.A[L], F.B[L]), IsSigned,
                      Bits);
    });
  forEachLane(F.Active.Bits, [&](unsigned L) {
    __int128 Value = exact(Op.Code, IsSigned, Bits, F.A[L], F.B[L]);
    W.put(Op.D, L, static_cast<uint64_t>(Value) & maskOf(Bits));
    W.put(Op.D + 1, L, overflows(Value, IsSigned, Bits));
  });
}

static void extrema(const Operation &Op, const Frame &F) {
  const LaneValues &A = F.A, &B = F.B;
  auto Signed = [&Op](uint64_t V) { return signExtend(V, Op.Bits); };
  switch (Op.Code) {
  case Opcode::MinS:
    return F.lanes(
        [&](unsigned L) { return Signed(A[L]) < Signed(B[L]) ? A[L] : B[L]; });
  case Opcode::MaxS:
    return F.lanes(
        [&](unsigned L) { return Signed(A[L]) > Signed(B[L]) ? A[L] : B[L]; });
  case Opcode::MinU:
    return F.lanes([&](unsigned L) { return A[L] < B[L] ? A[L] : B[L]; });
  default:
    return F.lanes([&](unsigned L) { return A[L] > B[L] ? A[L] : B[L]; });
  }
}

static void integers(const Operation &Op, Warp &W, const Frame &F) {
  const unsigned Bits = Op.Bits;
  const uint64_t Mask = maskOf(Bits);
  const LaneValues &A = F.A, &B = F.B, &C = F.C;
  switch (Op.Code) {
  case Opcode::Add:
    return F.lanes([&](unsigned L) { return (A[L] + B[L]) & Mask; });
  case Opcode::Sub:
    return F.lanes([&](unsigned L) { return (A[L] - B[L]) & Mask; });
  case Opcode::Mul:
    // Masked operands allow the host's vector multiplication of 32 bits.
    if (Bits == 32)
      return F.lanes([&](unsigned L) {
        return (A[L] & maskOf(32)) * (B[L] & maskOf(32)) & maskOf(32);
      });
    return F.lanes([&](unsigned L) { return A[L] * B[L] & Mask; });
  case Opcode::MulHighS:
  case Opcode::MulHighU:
    return F.activeLanes([&](unsigned L) {
      return multiplyHigh(Bits, Op.Code == Opcode::MulHighS, A[L], B[L]);
    });
  case Opcode::DivS:
  case Opcode::DivU:
  case Opcode::RemS:
  case Opcode::RemU:
    return F.activeLanes(
        [&](unsigned L) { return divide(Op.Code, Bits, A[L], B[L]); });
  case Opcode::And:
    return F.lanes([&](unsigned L) { return A[L] & B[L]; });
  case Opcode::Or:
    return F.lanes([&](unsigned L) { return A[L] | B[L]; });
  case Opcode::Xor:
    return F.lanes([&](unsigned L) { return A[L] ^ B[L]; });
  case Opcode::MinS:
  case Opcode::MaxS:
  case Opcode::MinU:
  case Opcode::MaxU:
    return extrema(Op, F);
  case Opcode::Permute:
    return F.activeLanes(
        [&](unsigned L) { return permuteBytes(A[L], B[L], C[L]); });
  case Opcode::BitFieldS:
  case Opcode::BitFieldU:
    return F.activeLanes([&](unsigned L) {
      return bitField(Bits, Op.Code == Opcode::BitFieldS, A[L], B[L], C[L]);
    });
  case Opcode::Shl:
  case Opcode::ShrU:
  case Opcode::ShrS:
  case Opcode::FunnelL:
  case Opcode::FunnelR:
    return shiftIntegers(Op, F);
  case Opcode::Compare:
    return compareIntegers(Op, F);
  case Opcode::Abs:
  case Opcode::PopCount:
  case Opcode::LeadingZeros:
  case Opcode::TrailingZeros:
  case Opcode::ByteSwap:
  case Opcode::BitReverse:
    return countBits(Op, F);
  default:
    return overflowing(Op, W, F);
  }
}

/// Operations that move bits, and address computations.
static void moves(const Operation &Op, Warp &W, const Frame &F) {
  const uint64_t Mask = maskOf(Op.Bits);
  const unsigned From = Op.SourceBits;
  switch (Op.Code) {
  case Opcode::Truncate:
    return F.lanes([&](unsigned L) { return F.A[L] & Mask; });
  case Opcode::SignExtend:
    return F.lanes([&](unsigned L) {
      return static_cast<uint64_t>(signExtend(F.A[L], From)) & Mask;
    });
  case Opcode::Select:
    return F.lanes([&](unsigned L) { return F.A[L] & 1 ? F.B[L] : F.C[L]; });
  case Opcode::Split: {
    const auto Shift = static_cast<unsigned>(Op.Immediate) * Op.Bits;
    return F.lanes([&](unsigned L) { return F.A[L] >> Shift & Mask; });
  }
  case Opcode::Join: {
    LaneValues Sum = {};
    for (auto [Part, Offset] : Op.Extra)
      for (unsigned L = 0; L < WarpSize; ++L)
        Sum[L] |= W[Part][L] << Offset;
    return F.lanes([&](unsigned L) { return Sum[L]; });
  }
  case Opcode::ToShared:
    return F.lanes([&](unsigned L) { return F.A[L] - SharedWindow; });
  case Opcode::ToGeneric:
    return F.lanes([&](unsigned L) { return F.A[L] + SharedWindow; });
  case Opcode::ToLocal:
    return F.lanes([&](unsigned L) { return F.A[L] - LocalWindow; });
  case Opcode::LocalToGeneric:
    return F.lanes([&](unsigned L) { return F.A[L] + LocalWindow; });
  case Opcode::Address: {
    LaneValues Sum;
    for (unsigned L = 0; L < WarpSize; ++L)
      Sum[L] = F.A[L] + static_cast<uint64_t>(Op.Immediate);
    for (auto [Index, Factor] : Op.Extra) {
      const LaneValues &I = W[Index];
      for (unsigned L = 0; L < WarpSize; ++L)
        Sum[L] += I[L] * static_cast<uint64_t>(Factor);
    }
    return F.lanes([&](unsigned L) { return Sum[L]; });
  }
  default: // ZeroExtend and Move: values are zero extended anyway.
    return F.lanes([&](unsigned L) { return F.A[L]; });
  }
}

uint32_t evaluate(const Operation &Op, Warp &W) {
  Frame F = {W.result(Op.D), W[Op.A], W[Op.B], W[Op.C], W.Active};
  if (Op.Code <= Opcode::Compare) {
    uint32_t ByZero = 0;
    if (Op.Code >= Opcode::DivS && Op.Code <= Opcode::RemU)
      forEachLane(W.Active.Bits, [&](unsigned Lane) {
        ByZero |= static_cast<uint32_t>(F.B[Lane] == 0) << Lane;
      });
    integers(Op, W, F);
    return ByZero;
  }
  if (Op.Code <= Opcode::FClass)
    floats(Op, F);
  else if (Op.Code >= Opcode::FToS && Op.Code <= Opcode::FTruncate)
    convertFloats(Op, F);
  else
    moves(Op, W, F);
  return 0;
}

static uint64_t combineFloats(AtomicRMWInst::BinOp Operator, unsigned Bits,
                              uint64_t Old, uint64_t Operand) {
  return withFormat(Bits, [&](auto Format) {
    auto A = Format.read(Old), B = Format.read(Operand);
    switch (Operator) {
    case AtomicRMWInst::FAdd:
      return Format.write(A + B);
    case AtomicRMWInst::FSub:
      return Format.write(A - B);
    case AtomicRMWInst::FMax:
      return Format.write(maxNumber(A, B));
    case AtomicRMWInst::FMin:
      return Format.write(minNumber(A, B));
    case AtomicRMWInst::FMaximum:
      return Format.write(maximum(A, B));
    default:
      return Format.write(minimum(A, B));
    }
  });
}

uint64_t combine(AtomicRMWInst::BinOp Operator, unsigned Bits, uint64_t Old,
                 uint64_t Operand) {
  const uint64_t Mask = maskOf(Bits);
  auto Signed = [Bits](uint64_t V) { return signExtend(V, Bits); };
  switch (Operator) {
  case AtomicRMWInst::Xchg:
    return Operand;
  case AtomicRMWInst::Add:
    return (Old + Operand) & Mask;
  case AtomicRMWInst::Sub:
    return (Old - Operand) & Mask;
  case AtomicRMWInst::And:
    return Old & Operand;
  case AtomicRMWInst::Nand:
    return ~(Old & Operand) & Mask;
  case AtomicRMWInst::Or:
    return Old | Operand;
  case AtomicRMWInst::Xor:
    return Old ^ Operand;
  case AtomicRMWInst::Max:
    return Signed(Old) > Signed(Operand) ? Old : Operand;
  case AtomicRMWInst::Min:
    return Signed(Old) < Signed(Operand) ? Old : Operand;
  case AtomicRMWInst::UMax:
    return std::max(Old, Operand);
  case AtomicRMWInst::UMin:
    return std::min(Old, Operand);
  case AtomicRMWInst::UIncWrap:
    return Old >= Operand ? 0 : Old + 1;
  case AtomicRMWInst::UDecWrap:
    return Old == 0 || Old > Operand ? Operand : Old - 1;
  case AtomicRMWInst::USubCond:
    return Old >= Operand ? Old - Operand : Old;
  case AtomicRMWInst::USubSat:
    return Old >= Operand ? Old - Operand : 0;
  default:
    return combineFloats(Operator, Bits, Old, Operand);
  }
}

std::optional<Opcode> opcodeOf(AtomicRMWInst::BinOp Operator) {
  switch (Operator) {
  case AtomicRMWInst::Add:
    return Opcode::Add;
  case AtomicRMWInst::Sub:
    return Opcode::Sub;
  case AtomicRMWInst::And:
    return Opcode::And;
  case AtomicRMWInst::Or:
    return Opcode::Or;
  case AtomicRMWInst::Xor:
    return Opcode::Xor;
  case AtomicRMWInst::Max:
    return Opcode::MaxS;
  case AtomicRMWInst::Min:
    return Opcode::MinS;
  case AtomicRMWInst::UMax:
    return Opcode::MaxU;
  case AtomicRMWInst::UMin:
    return Opcode::MinU;
  case AtomicRMWInst::FAdd:
    return Opcode::FAdd;
  case AtomicRMWInst::FSub:
    return Opcode::FSub;
  case AtomicRMWInst::FMax:
    return Opcode::FMax;
  case AtomicRMWInst::FMin:
    return Opcode::FMin;
  case AtomicRMWInst::FMaximum:
    return Opcode::FMaxNaN;
  case AtomicRMWInst::FMinimum:
    return Opcode::FMinNaN;
  case AtomicRMWInst::USubSat:
    return Opcode::SubSatU;
  default:
    return std::nullopt;
  }
}

} // namespace cudaopt::simt
