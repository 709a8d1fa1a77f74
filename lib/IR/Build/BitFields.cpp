// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers accesses of bit-fields. Each loads, and perhaps stores, the whole
/// memory location of C++, that is, all adjacent bit-fields; shifts and masks
/// select the bits.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns the bit-field \p Bits of \p Whole, the value of its location, as
/// type
/// \p T. Two shifts cut off the other bits and extend the sign, if there is
/// one.
static ValueId extract(FunctionBuilder &Builder, const BitField &Bits,
                       ValueId Whole, Type T) {
  const auto Number = [&](unsigned N) {
    return Builder.literal(N, Type::integer(true, 32));
  };
  const Type Location = Bits.Location.Ty;
  const unsigned All = Location.Bits;
  ValueId V = Builder.binary(clang::BO_Shl, Location, Whole,
                             Number(All - Bits.Shift - Bits.Width));
  const Type Extended = Type::integer(T.IsSigned, All);
  V = Builder.convert(V, Extended);
  V = Builder.binary(clang::BO_Shr, Extended, V, Number(All - Bits.Width));
  return Builder.convert(V, T);
}

/// Loads the whole memory location of a bit-field.
ValueId Lowering::loadLocation(const clang::Expr *At, ValueId Address,
                               const Member &Location, bool IsVolatile) {
  Operation O;
  O.What = Operation::Load;
  O.Address = Address;
  O.Width = Location.Width;
  O.IsVolatile = IsVolatile;
  O.Result = Builder.result(Location.Ty);
  O.Where = anchor(At);
  return append(std::move(O)).Result;
}

ValueId Lowering::loadBits(const clang::Expr *At, ValueId Address,
                           const clang::FieldDecl *Field) {
  const std::optional<BitField> Bits = findBits(Field, Context);
  if (!Bits) {
    // The result of an opaque operation for the lvalue At would be an address,
    // but the value is wanted.
    opaque(At, "bit-field", {Address}, Context.VoidTy);
    return Builder.undefined(typeOf(Field->getType()));
  }
  return extract(Builder, *Bits,
                 loadLocation(At, Address, Bits->Location,
                              At->getType().isVolatileQualified()),
                 typeOf(Field->getType()));
}

ValueId Lowering::storeBits(const clang::Expr *At, ValueId Address,
                            const clang::FieldDecl *Field, ValueId Stored) {
  const std::optional<BitField> Bits = findBits(Field, Context);
  const Type T = typeOf(Field->getType());
  if (!Bits) {
    opaque(At, "bit-field", {Address}, Context.VoidTy);
    return Builder.undefined(T);
  }
  const Type Location = Bits->Location.Ty;
  const bool IsVolatile = Field->getType().isVolatileQualified() ||
                          At->getType().isVolatileQualified();
  const ValueId Old = loadLocation(At, Address, Bits->Location, IsVolatile);
  const APInt Mask =
      APInt::getBitsSet(Location.Bits, Bits->Shift, Bits->Shift + Bits->Width);
  ValueId New =
      Builder.binary(clang::BO_Shl, Location, Builder.convert(Stored, Location),
                     Builder.literal(Bits->Shift, Type::integer(true, 32)));
  New = Builder.binary(clang::BO_And, Location, New,
                       Builder.literal(APSInt(Mask), Location));
  const ValueId Kept = Builder.binary(clang::BO_And, Location, Old,
                                      Builder.literal(APSInt(~Mask), Location));
  New = Builder.binary(clang::BO_Or, Location, Kept, New);
  Operation O;
  O.What = Operation::Store;
  O.Address = Address;
  O.Stored = New;
  O.Width = Bits->Location.Width;
  O.IsVolatile = IsVolatile;
  O.Where = anchor(At);
  append(std::move(O));
  return extract(Builder, *Bits, New, T);
}
