// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pure values of the IR and their types.
///
/// A value is what an expression computes, without the memory that it reads: a
/// literal, a thread's coordinate, an argument, the address of an object, the
/// result of an operation, and what arithmetic makes of these. Values are
/// hash-consed: in one function, equal values have equal ids, so that comparing
/// two expressions compares two numbers. Phis and results are unique, since
/// each has the block or the operation that defines it.
///
///   int t = threadIdx.x;           %t = s32(threadIdx.x)
///   s[4 * t + 1]                   @s + s64(4 * %t + 1) * 4
///
/// Arithmetic is that of C++: an operand of `char` is converted to `s32` by a
/// Convert before it is added, and each type says how its results wrap. (LLVM's
/// types have no sign; there the operations have it.)
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_VALUE_H
#define CUDAOPT_IR_VALUE_H

#include "clang/AST/OperationKinds.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace clang {
class Decl;
class FunctionDecl;
} // namespace clang
namespace llvm {
class raw_ostream;
}

namespace cudaopt::ir {

using ValueId = uint32_t;  ///< 0: no value.
using BlockId = uint32_t;  ///< The position in reverse post-order.
using ObjectId = uint32_t; ///< 0: memory of which nothing is known.

/// A type as arithmetic sees it. Aggregates have a size and nothing else.
struct Type {
  enum Kind : uint8_t { Void, Boolean, Integer, Float, Pointer, Aggregate };
  Kind What = Void;
  bool IsSigned = false;
  uint32_t Bits = 0;
  bool IsBrain = false; ///< Of Float: `__bf16`, which is as wide as a half.

  static Type boolean() { return {Boolean, false, 1}; }
  static Type integer(bool IsSigned, uint32_t Bits) {
    return {Integer, IsSigned, Bits};
  }
  static Type pointer() { return {Pointer, false, 64}; }
  /// The bytes of an object that is no scalar.
  static Type aggregate(uint64_t Bytes) {
    return {Aggregate, false, static_cast<uint32_t>(8 * Bytes)};
  }
  bool isIntegral() const { return What == Integer || What == Boolean; }
  bool operator==(const Type &) const = default;
};

/// `s32`, `u8`, `f64`, `bf16`, `bool`, `ptr`, `void`, `bytes12`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Type &T);

/// What the hardware tells a thread about itself. The size of the block is a
/// value as well: one IR serves every launch, and an analysis binds it.
/// None of them changes while the thread runs; what does is a Sample.
enum class SpecialRegister : uint8_t {
#define SPECIAL(NAME, TEXT, PTX) NAME,
#include "cudaopt/IR/SpecialRegisters.def"
};

/// One pure value. See Function::value().
struct Value {
  enum Kind : uint8_t {
    None,
    Literal,  ///< Integer, of any width; the bits of a floating-point number.
    Special,  ///< Register.
    Argument, ///< The parameter Decl, which is no pointer; or `this`.
    Address,  ///< The first byte of Object.
    Offset,   ///< Operands: a pointer, a number of bytes (s64 or u64).
    Phi,      ///< Operands: one for each predecessor of Block, in order.
    Result,   ///< Of an operation in Block.
    Unary,    ///< Opcode is a clang::UnaryOperatorKind.
    Binary,   ///< Opcode is a clang::BinaryOperatorKind; comparisons, too.
    Select,   ///< Operands: condition, value if true, value if false.
    Convert,  ///< To Ty.
    /// Of a pointer into shared memory: the number of 64 bits that PTX has for
    /// it, as `__cvta_generic_to_shared` yields it.
    SharedAddress,
    /// Of such a number: the pointer.
    SharedPointer,
    Pure,      ///< A call of Decl that depends on its operands only.
    Undefined, ///< Any value, another one at each use.
  };
  Kind What = None;
  Type Ty;
  uint16_t Opcode = 0;
  SpecialRegister Register = SpecialRegister::ThreadIdxX;
  ObjectId Object = 0;
  uint32_t Unique = 0; ///< Tells phis, results and undefined values apart.
  const clang::Decl *Decl = nullptr;
  llvm::APSInt Integer;
  llvm::SmallVector<ValueId, 3> Operands;
  /// Where a phi or a result is defined; no part of what makes values equal.
  BlockId Block = 0;

  Value() = default;
  Value(Kind What, Type Ty) : What(What), Ty(Ty) {}

  bool isLiteral(uint64_t Number) const {
    return What == Literal && Ty.isIntegral() && Integer == Number;
  }
  clang::BinaryOperatorKind binary() const {
    return static_cast<clang::BinaryOperatorKind>(Opcode);
  }
  clang::UnaryOperatorKind unary() const {
    return static_cast<clang::UnaryOperatorKind>(Opcode);
  }
};

/// "threadIdx.x".
llvm::StringRef getName(SpecialRegister R);

/// The register that PTX calls \p Name, as "tid.x"; none if there is no such
/// register, or if what it holds changes while a thread runs, as a clock does.
std::optional<SpecialRegister> findSpecialRegister(llvm::StringRef Name);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_VALUE_H
