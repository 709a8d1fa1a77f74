// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recovers pointers that were converted to integers and back. Addresses in PTX
/// are integers, and alignment is often computed with them; without this, the
/// object that is accessed would be unknown.
///
///   u = (unsigned)__cvta_generic_to_shared(s) + 16   u32(shared(@s)) + 16
///   asm("ld.shared.f32 %0, [%1];" : ... : "r"(u))    load f32 [@s + 16]
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/FunctionBuilder.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns the pointer and the offset whose sum \p Number is, modulo 2^\p Bits;
/// std::nullopt if it has no such form. \p Made is the kind of value by which
/// the pointer became an integer: Convert or SharedAddress.
///
/// Sums, differences with the pointer on the left, and conversions between
/// integers are looked through. If the arithmetic is narrower than the address,
/// the pointer cannot be recovered; addresses of shared memory fit in 32 bits,
/// so that arithmetic of 32 bits suffices for them. The offset is extended with
/// its sign: what was added may be a negative number in an unsigned type.
std::optional<FunctionBuilder::Traced>
FunctionBuilder::trace(ValueId Number, Value::Kind Made, unsigned Bits) {
  // A copy: new values move the old ones.
  const Value V = value(Number);
  const unsigned Least = Made == Value::SharedAddress ? 32 : 64;
  const Type Wide = Type::integer(true, 64);
  Bits = std::min(Bits, V.Ty.Bits);
  if (Bits < Least)
    return std::nullopt;
  const bool IsMade =
      V.What == Made && value(V.Operands[0]).Ty == Type::pointer();
  if (IsMade)
    return Traced{V.Operands[0], literal(0, Wide)};
  if (V.What == Value::Convert && value(V.Operands[0]).Ty.isIntegral())
    return trace(V.Operands[0], Made, Bits);
  const bool IsSum = V.What == Value::Binary && (V.binary() == clang::BO_Add ||
                                                 V.binary() == clang::BO_Sub);
  if (!IsSum)
    return std::nullopt;
  const auto Extended = [&](ValueId Each) {
    return convert(convert(Each, Type::integer(true, Bits)), Wide);
  };
  std::optional<Traced> L = trace(V.Operands[0], Made, Bits);
  const std::optional<Traced> R = trace(V.Operands[1], Made, Bits);
  if (L.has_value() == R.has_value() || (R && V.binary() == clang::BO_Sub))
    return std::nullopt;
  const ValueId Added = Extended(V.Operands[R ? 0 : 1]);
  const Traced &Of = R ? *R : *L;
  return Traced{Of.Pointer, binary(V.binary(), Wide, Of.Bytes, Added)};
}

ValueId FunctionBuilder::sharedAddress(ValueId Pointer) {
  if (value(Pointer).What == Value::SharedPointer &&
      value(value(Pointer).Operands[0]).Ty == Type::integer(false, 64))
    return value(Pointer).Operands[0];
  Value V(Value::SharedAddress, Type::integer(false, 64));
  V.Operands = {Pointer};
  return cons(std::move(V));
}

ValueId FunctionBuilder::sharedPointer(ValueId Number) {
  if (std::optional<Traced> Of = trace(Number, Value::SharedAddress, 64))
    return offset(Of->Pointer, Of->Bytes);
  Value V(Value::SharedPointer, Type::pointer());
  V.Operands = {Number};
  return cons(std::move(V));
}
