// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The table of terms. The operands of a term are always older than the term,
/// so that the table is a directed acyclic graph in topological order.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Terms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <utility>

namespace cudaopt::simt {

using Kind = TermOperator::Kind;

static uint32_t hashOf(const TermTable::Term &T) {
  const TermOperator &O = T.Operator;
  uint64_t Operator = uint64_t(O.What) | uint64_t(O.Code) << 8 |
                      uint64_t(O.Variant) << 16 | uint64_t(O.Bits) << 24 |
                      uint64_t(O.SourceBits) << 32;
  uint64_t Hash = Operator * 0x9e3779b97f4a7c15;
  Hash ^= (uint64_t(T.A) << 32 | T.B) * 0xc2b2ae3d27d4eb4f;
  Hash ^= Hash >> 29;
  Hash = (Hash + T.C) * 0xbf58476d1ce4e5b9;
  return static_cast<uint32_t>(Hash ^ Hash >> 32);
}

/// Hash-consing: returns the identifier of an equal term if there is one.
TermId TermTable::intern(const Term &T) {
  // The table is at most half full, so that a free slot is near.
  if (Nodes.size() * 2 > Slots.size())
    grow();
  uint32_t Hash = hashOf(T);
  size_t Mask = Slots.size() - 1, Place = Hash & Mask;
  for (; Slots[Place].Id != 0; Place = (Place + 1) & Mask)
    if (Slots[Place].Hash == Hash && Nodes[Slots[Place].Id] == T)
      return Slots[Place].Id;
  auto Id = static_cast<TermId>(Nodes.size());
  Slots[Place] = {Id, Hash};
  Parts.push_back(partsOf(T));
  Nodes.push_back(T);
  return Id;
}

void TermTable::grow() {
  constexpr size_t Least = 1 << 10;
  std::vector<Slot> Old(std::max(Least, Slots.size() * 2));
  Old.swap(Slots);
  size_t Mask = Slots.size() - 1;
  for (Slot S : Old) {
    if (S.Id == 0)
      continue;
    size_t Place = S.Hash & Mask;
    while (Slots[Place].Id != 0)
      Place = (Place + 1) & Mask;
    Slots[Place] = S;
  }
}

/// An operation on an address depends on its number, unless it is a selection
/// between two addresses.
uint8_t TermTable::partsOf(const Term &T) const {
  switch (T.Operator.What) {
  case Kind::Operation: {
    const auto All = static_cast<uint8_t>(Parts[T.A] | Parts[T.B] | Parts[T.C]);
    const uint8_t Computed =
        T.Operator.Code == Opcode::Select ? Parts[T.A] : All;
    return Computed & AddressPart ? All | NumberPart : All;
  }
  case Kind::Byte:
    return Parts[T.A];
  case Kind::Bytes:
    return Parts[T.A] | Parts[T.B];
  case Kind::Constant:
  case Kind::Symbol:
    return 0;
  case Kind::Undefined:
    return UndefinedPart;
  case Kind::Address:
    return AddressPart;
  }
  llvm_unreachable("no kind of term");
}

static TermOperator leaf(Kind What, unsigned Bits) {
  TermOperator O;
  O.What = What;
  O.Bits = static_cast<uint8_t>(Bits);
  return O;
}

TermId TermTable::constant(uint64_t Value, unsigned Bits) {
  assert(Bits <= 64 && "a constant has two halves of 32 bits");
  Value &= llvm::maskTrailingOnes<uint64_t>(Bits);
  return intern({leaf(Kind::Constant, Bits), static_cast<uint32_t>(Value),
                 static_cast<uint32_t>(Value >> 32)});
}

TermId TermTable::symbol(uint32_t Input, uint32_t Offset, unsigned Bits) {
  return intern({leaf(Kind::Symbol, Bits), Input, Offset});
}

TermId TermTable::undefined(unsigned Bits) {
  TermId Byte = intern({leaf(Kind::Undefined, 8)});
  unsigned Size = (Bits + 7) / 8;
  TermId Whole = join(ByteRefs(Size, ByteRef{Byte, 0}));
  return Bits == 8 * Size ? Whole
                          : apply(Opcode::Truncate, 0, Bits, 8 * Size, Whole);
}

/// Returns true if exchanging A and B changes no bit of the result.
static bool isCommutative(Opcode Code) {
  switch (Code) {
  case Opcode::Add:
  case Opcode::Mul:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::MinS:
  case Opcode::MaxS:
  case Opcode::MinU:
  case Opcode::MaxU:
  case Opcode::FAdd:
  case Opcode::FMul:
  case Opcode::FMin:
  case Opcode::FMax:
  case Opcode::FMinNaN:
  case Opcode::FMaxNaN:
  case Opcode::Fma:
    return true;
  default:
    return false;
  }
}

/// Returns true if the result has the same bits as A.
static bool keepsBits(Opcode Code, unsigned Bits, unsigned SourceBits) {
  switch (Code) {
  case Opcode::Move:
    return true;
  case Opcode::Truncate:
  case Opcode::ZeroExtend:
  case Opcode::SignExtend:
    return Bits == SourceBits;
  default:
    return false;
  }
}

/// Normal form: first operations that change nothing, then those on addresses,
/// then moves of bytes are folded; the rest is interned with sorted operands.
TermId TermTable::apply(Opcode Code, unsigned Variant, unsigned Bits,
                        unsigned SourceBits, TermId A, TermId B, TermId C) {
  if (keepsBits(Code, Bits, SourceBits))
    return A;
  if ((Parts[A] | Parts[B]) & AddressPart)
    if (TermId Folded = foldAddress(Code, Variant, Bits, A, B))
      return Folded;
  if (TermId Moved = movedBytes(Code, Bits, A, B))
    return Moved;
  if (isCommutative(Code) && A > B)
    std::swap(A, B);
  TermOperator O = {Kind::Operation, Code, static_cast<uint8_t>(Variant),
                    static_cast<uint8_t>(Bits),
                    static_cast<uint8_t>(SourceBits)};
  return intern({O, A, B, C});
}

unsigned TermTable::width(TermId Id) const {
  const TermOperator &O = Nodes[Id].Operator;
  if (O.What != Kind::Operation)
    return O.Bits;
  switch (O.Code) {
  case Opcode::Compare:
  case Opcode::FCompare:
  case Opcode::FClass:
    return 1;
  default:
    return O.Bits;
  }
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Returns \p Id zero extended to a whole number of bytes.
TermId TermTable::wholeBytes(TermId Id) {
  unsigned Bits = width(Id);
  if (Bits % 8 == 0)
    return Id;
  const Term T = Nodes[Id];
  if (T.Operator.What == Kind::Constant)
    return constant(uint64_t(T.B) << 32 | T.A, byteSize(Id) * 8);
  return apply(Opcode::ZeroExtend, 0, byteSize(Id) * 8, Bits, Id);
}

/// Returns byte \p Index of \p Of in normal form.
TermTable::ByteRef TermTable::resolve(TermId Of, unsigned Index) {
  Of = wholeBytes(Of);
  while (true) {
    assert(Index < byteSize(Of) && "the term has no such byte");
    const Term &T = Nodes[Of];
    switch (T.Operator.What) {
    case Kind::Constant:
      return {0, (Index < 4 ? T.A >> 8 * Index : T.B >> 8 * (Index - 4)) & 255};
    case Kind::Byte:
      return {T.A, T.B};
    case Kind::Bytes:
      if (unsigned Low = byteSize(T.A); Index < Low) {
        Of = T.A;
      } else {
        Index -= Low;
        Of = T.B;
      }
      break;
    case Kind::Operation:
    case Kind::Symbol:
    case Kind::Undefined:
    case Kind::Address:
      return {Of, Index};
    }
  }
}

/// Returns the term for a single byte.
TermId TermTable::make(ByteRef Ref) {
  if (Ref.Of == 0)
    return constant(Ref.Index, 8);
  if (byteSize(Ref.Of) == 1)
    return Ref.Of;
  return intern({leaf(Kind::Byte, 8), Ref.Of, Ref.Index});
}

/// Returns the number of leading references that are constants, at most 8.
template <class RefsT> static size_t countConstants(const RefsT &Refs) {
  size_t Count = 0;
  while (Count < std::min<size_t>(Refs.size(), 8) && Refs[Count].Of == 0)
    ++Count;
  return Count;
}

/// Returns true if \p Refs begin with the bytes 0 .. Size - 1 of one term.
template <class RefsT>
static bool beginWithWhole(const RefsT &Refs, unsigned Size) {
  if (Refs.size() < Size)
    return false;
  for (unsigned I = 0; I < Size; ++I)
    if (Refs[I].Of != Refs[0].Of || Refs[I].Index != I)
      return false;
  return true;
}

/// Returns the term for a sequence of bytes, the same for the same bytes: runs
/// of constants become one constant, all bytes of a term that term, other bytes
/// single ones; the pieces are linked from the last to the first.
TermId TermTable::join(llvm::ArrayRef<ByteRef> Refs) {
  assert(!Refs.empty() && Refs.size() < 32 && "the width does not fit");
  llvm::SmallVector<TermId, 16> Pieces;
  while (!Refs.empty()) {
    size_t Taken = 1;
    if (size_t Count = countConstants(Refs)) {
      Taken = Count;
      uint64_t Value = 0;
      for (size_t I = 0; I < Count; ++I)
        Value |= uint64_t(Refs[I].Index) << 8 * I;
      Pieces.push_back(constant(Value, 8 * static_cast<unsigned>(Count)));
    } else if (unsigned Size = byteSize(Refs[0].Of);
               beginWithWhole(Refs, Size)) {
      Taken = Size;
      Pieces.push_back(Refs[0].Of);
    } else {
      Pieces.push_back(make(Refs[0]));
    }
    Refs = Refs.drop_front(Taken);
  }

  TermId Result = Pieces.pop_back_val();
  for (TermId Piece : llvm::reverse(Pieces))
    Result = intern(
        {leaf(Kind::Bytes, width(Piece) + width(Result)), Piece, Result});
  return Result;
}

/// Returns the result of a shift by a whole number of bytes; 0 if it is another
/// shift.
TermId TermTable::shiftedBytes(Opcode Code, unsigned Size, TermId A,
                               TermId By) {
  const Term &T = Nodes[By];
  if (T.Operator.What != Kind::Constant || T.A % 8 != 0 || T.B != 0 ||
      T.A >= 8 * Size)
    return 0;
  const unsigned Count = T.A / 8;
  ByteRefs Refs(Size, ByteRef{0, 0});
  for (unsigned I = 0; I < Size - Count; ++I)
    if (Code == Opcode::Shl)
      Refs[I + Count] = resolve(A, I);
    else
      Refs[I] = resolve(A, I + Count);
  return join(Refs);
}

/// Returns the result of a shift, mask or disjunction if it consists of bytes
/// of the operands, unchanged; else 0. Compilers combine the members of a
/// struct that way.
TermId TermTable::movedBytes(Opcode Code, unsigned Bits, TermId A, TermId B) {
  const bool Shifts = Code == Opcode::Shl || Code == Opcode::ShrU;
  const bool IsAnd = Code == Opcode::And;
  if ((!Shifts && !IsAnd && Code != Opcode::Or) || Bits % 8 != 0 ||
      width(A) != Bits)
    return 0;
  if (Shifts)
    return shiftedBytes(Code, Bits / 8, A, B);
  auto HasNumbers = [this](TermId Id) {
    Kind What = Nodes[Id].Operator.What;
    return What == Kind::Constant || What == Kind::Bytes;
  };
  if (width(B) != Bits || !(HasNumbers(A) || HasNumbers(B)))
    return 0;
  const unsigned Neutral = IsAnd ? 0xff : 0;
  ByteRefs Refs;
  for (unsigned I = 0; I < Bits / 8; ++I) {
    ByteRef X = resolve(A, I), Y = resolve(B, I);
    if (X.Of != 0)
      std::swap(X, Y);
    if (X.Of != 0)
      return 0;
    if (Y.Of == 0)
      Refs.push_back({0, IsAnd ? X.Index & Y.Index : X.Index | Y.Index});
    else if (X.Index == Neutral)
      Refs.push_back(Y);
    else if (X.Index == 0xff - Neutral)
      Refs.push_back(X);
    else
      return 0;
  }
  return join(Refs);
}

TermId TermTable::byte(TermId Of, unsigned Index) {
  return make(resolve(Of, Index));
}

TermId TermTable::bytes(TermId Low, TermId High) {
  ByteRefs Refs;
  for (TermId Of : {Low, High})
    for (unsigned I = 0, E = byteSize(Of); I < E; ++I)
      Refs.push_back(resolve(Of, I));
  return join(Refs);
}

TermId TermTable::slice(TermId Of, unsigned First, unsigned Count) {
  ByteRefs Refs;
  for (unsigned I = 0; I < Count; ++I)
    Refs.push_back(resolve(Of, First + I));
  return join(Refs);
}

TermId TermTable::fromTags(const uint64_t *Tags, const Byte *Values,
                           unsigned Size) {
  // Nearly all loads find exactly what one store left.
  auto First = static_cast<TermId>(Tags[0] >> 8);
  bool IsWhole = First != 0 && width(First) == 8 * Size;
  for (unsigned I = 0; I < Size && IsWhole; ++I)
    IsWhole = Tags[I] == (uint64_t(First) << 8 | I);
  if (IsWhole)
    return First;

  ByteRefs Refs;
  for (unsigned I = 0; I < Size; ++I) {
    auto Of = static_cast<TermId>(Tags[I] >> 8);
    if (Of == 0)
      Refs.push_back({0, Values[I]});
    else
      Refs.push_back(resolve(Of, Tags[I] & 255));
  }
  return join(Refs);
}

} // namespace cudaopt::simt
