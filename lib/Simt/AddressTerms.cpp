// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Terms that are addresses of shared memory. An address of 32 bits is a leaf.
/// An address of 64 bits is that leaf followed by its upper half, which is a
/// number: zero for an offset in the window, the window's upper half for a
/// generic address. So addresses are moved, stored and shuffled in parts like
/// all other bytes.
///
/// An operation on an address is folded where its result is the same wherever
/// the variable lies:
///
///   &s + 4, then + 8         &s+12
///   (&s + 4) - &s            4
///   &s & 3, s aligned to 16  0
///   &s / 12                  stays an operation
///
/// This is sound because the window is so large that no sum leaves it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Terms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

namespace cudaopt::simt {

using Kind = TermOperator::Kind;
using llvm::CmpInst;

static constexpr uint32_t UpperHalfOfGeneric = SharedWindow >> 32;

uint32_t TermTable::sharedBase(llvm::StringRef Key, llvm::StringRef Name,
                               uint32_t Alignment) {
  const SharedBase Wanted = {Key.str(), Name.str(), Alignment};
  auto Known = llvm::find(Bases, Wanted);
  if (Known == Bases.end())
    Known = Bases.insert(Known, Wanted);
  return static_cast<uint32_t>(Known - Bases.begin());
}

TermId TermTable::address(const SharedAddress &Where) {
  TermOperator Leaf;
  Leaf.What = Kind::Address;
  Leaf.Bits = 32;
  TermId Low = intern({Leaf, Where.Base, static_cast<uint32_t>(Where.Offset)});
  if (Where.Bits == 32)
    return Low;
  return bytes(Low, constant(Where.IsGeneric ? UpperHalfOfGeneric : 0, 32));
}

std::optional<SharedAddress> TermTable::asAddress(TermId Id) const {
  auto Leaf = [this](TermId Low, unsigned Bits,
                     bool IsGeneric) -> std::optional<SharedAddress> {
    const Term &T = Nodes[Low];
    if (T.Operator.What != Kind::Address)
      return std::nullopt;
    return SharedAddress{T.A, static_cast<int32_t>(T.B), Bits, IsGeneric};
  };
  const Term &T = Nodes[Id];
  if (T.Operator.What != Kind::Bytes)
    return Leaf(Id, 32, false);
  std::optional<uint64_t> High = asConstant(T.B);
  if (!High || width(T.B) != 32 || (*High != 0 && *High != UpperHalfOfGeneric))
    return std::nullopt;
  return Leaf(T.A, 64, *High != 0);
}

std::optional<uint64_t> TermTable::asConstant(TermId Id) const {
  const Term &T = Nodes[Id];
  if (T.Operator.What != Kind::Constant)
    return std::nullopt;
  return uint64_t(T.B) << 32 | T.A;
}

std::string TermTable::textOf(const SharedAddress &Where) const {
  std::string Text = "&" + Bases[Where.Base].Name;
  if (Where.Offset)
    Text += (Where.Offset < 0 ? "" : "+") + llvm::itostr(Where.Offset);
  return Text;
}

/// Folds operations whose result depends only on the low bits of an address,
/// which the alignment of the variable makes known. Returns 0 if \p Y reaches
/// higher bits.
TermId TermTable::foldAddressBits(Opcode Code, const SharedAddress &X,
                                  uint64_t Y) {
  const uint64_t KnownBits = Bases[X.Base].Alignment - 1;
  const uint64_t All = llvm::maskTrailingOnes<uint64_t>(X.Bits);
  auto Offset = static_cast<uint64_t>(X.Offset);
  auto Moved = [&](uint64_t NewOffset) {
    return address(
        {X.Base, static_cast<int64_t>(NewOffset), X.Bits, X.IsGeneric});
  };
  switch (Code) {
  case Opcode::Or:
    return Y & ~KnownBits ? 0 : Moved(Offset | Y);
  case Opcode::Xor:
    return Y & ~KnownBits ? 0 : Moved(Offset ^ Y);
  case Opcode::And:
    if (!(Y & ~KnownBits))
      return constant(Offset & Y, X.Bits);
    return ~Y & All & ~KnownBits ? 0 : Moved(Offset & (Y | ~All));
  case Opcode::RemU:
    if (!llvm::isPowerOf2_64(Y) || (Y - 1) & ~KnownBits)
      return 0;
    return constant(Offset & (Y - 1), X.Bits);
  default:
    return 0;
  }
}

/// Compares two offsets. They are signed, whatever the predicate says.
static bool evaluate(CmpInst::Predicate Predicate, int64_t X, int64_t Y) {
  switch (Predicate) {
  case CmpInst::ICMP_EQ:
    return X == Y;
  case CmpInst::ICMP_NE:
    return X != Y;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT:
    return X > Y;
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE:
    return X >= Y;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT:
    return X < Y;
  default:
    return X <= Y;
  }
}

/// Addresses in one variable are ordered as their offsets. The order of
/// addresses in two variables depends on where these lie; so does even whether
/// the end of one equals the start of the other.
TermId TermTable::foldComparison(unsigned Predicate, const SharedAddress &X,
                                 const SharedAddress &Y) {
  if (X.Base != Y.Base || X.Bits != Y.Bits || X.IsGeneric != Y.IsGeneric)
    return 0;
  return constant(
      evaluate(static_cast<CmpInst::Predicate>(Predicate), X.Offset, Y.Offset),
      1);
}

/// No generic address of a shared variable is null. An offset in the window may
/// be zero.
TermId TermTable::foldComparisonWithNull(unsigned Predicate,
                                         const SharedAddress &X,
                                         bool IsSwapped) {
  const auto P = static_cast<CmpInst::Predicate>(Predicate);
  if (!X.IsGeneric || CmpInst::isSigned(P))
    return 0;
  return constant(IsSwapped ? evaluate(P, 0, 1) : evaluate(P, 1, 0), 1);
}

/// Returns the result of an operation on at least one address if it does not
/// depend on where the variable lies; else 0.
TermId TermTable::foldAddress(Opcode Code, unsigned Variant, unsigned Bits,
                              TermId A, TermId B) {
  std::optional<SharedAddress> X = asAddress(A), Y = asAddress(B);
  std::optional<uint64_t> Number = asConstant(X ? B : A);
  const bool IsSwapped = !X;
  if (X && Y && Code == Opcode::Compare)
    return foldComparison(Variant, *X, *Y);
  if (X && Y && Code == Opcode::Sub && X->Base == Y->Base &&
      X->IsGeneric == Y->IsGeneric)
    return constant(static_cast<uint64_t>(X->Offset - Y->Offset), Bits);
  if ((X && Y) || (!X && !Y))
    return 0;
  if (IsSwapped)
    X = Y;
  if (Code == Opcode::ToShared || Code == Opcode::ToGeneric)
    return address({X->Base, X->Offset, 64, Code == Opcode::ToGeneric});
  if (Code == Opcode::SignExtend && X->Bits == 32 && Bits == 64)
    return address({X->Base, X->Offset, 64, false});
  if (Code == Opcode::Truncate && Bits < 8 &&
      (llvm::maskTrailingOnes<uint64_t>(Bits) &
       ~uint64_t(Bases[X->Base].Alignment - 1)) == 0)
    return constant(static_cast<uint64_t>(X->Offset), Bits);
  if (!Number)
    return 0;
  const int64_t By = llvm::SignExtend64(*Number, X->Bits);
  switch (Code) {
  case Opcode::Compare:
    return *Number == 0 ? foldComparisonWithNull(Variant, *X, IsSwapped) : 0;
  case Opcode::Add:
    return address({X->Base, X->Offset + By, X->Bits, X->IsGeneric});
  case Opcode::Sub:
    if (IsSwapped)
      return 0;
    return address({X->Base, X->Offset - By, X->Bits, X->IsGeneric});
  case Opcode::Mul:
    return *Number == 1 ? address(*X) : 0;
  case Opcode::RemU:
    return IsSwapped ? 0 : foldAddressBits(Code, *X, *Number);
  default:
    return foldAddressBits(Code, *X, *Number);
  }
}

} // namespace cudaopt::simt
