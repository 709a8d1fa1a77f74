// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pure values of the IR and their types.
///
/// A value has no side effects and reads no memory: it is a literal, a thread's
/// coordinate, an argument, the address of an object, the result of an
/// operation, or arithmetic on other values. Values are hash-consed (global
/// value numbering by construction): within a function, equal expressions have
/// equal ids, so that comparing two expressions compares two numbers. Phis and
/// results are unique, since each has the block or the operation that defines
/// it.
///
///   int t = threadIdx.x;           %t = s32(threadIdx.x)
///   s[4 * t + 1]                   @s + s64(4 * %t + 1) * 4
///
/// Arithmetic is that of C++: an operand of type `char` is promoted to `s32` by
/// a Convert before it is added, and the sign of a type says whether overflow
/// wraps (unsigned) or is undefined (signed). In LLVM IR, by contrast, types
/// have no sign and operations do.
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

/// A type as arithmetic sees it. Of an aggregate only the size is kept; its
/// members are loaded and stored one by one.
struct Type {
  enum Kind : uint8_t { Void, Boolean, Integer, Float, Pointer, Aggregate };
  Kind What = Void;
  bool IsSigned = false;
  uint32_t Bits = 0;
  bool IsBrain = false; ///< True for `__bf16`, which is as wide as a half.

  static Type boolean() { return {Boolean, false, 1}; }
  static Type integer(bool IsSigned, uint32_t Bits) {
    return {Integer, IsSigned, Bits};
  }
  static Type pointer() { return {Pointer, false, 64}; }
  /// An object of \p Bytes bytes that is no scalar.
  static Type aggregate(uint64_t Bytes) {
    return {Aggregate, false, static_cast<uint32_t>(8 * Bytes)};
  }
  bool isIntegral() const { return What == Integer || What == Boolean; }
  bool operator==(const Type &) const = default;
};

/// Prints a type: `s32`, `u8`, `f64`, `bf16`, `bool`, `ptr`, `void`, `bytes12`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const Type &T);

/// What the hardware tells a thread about itself and its launch. The size of
/// the block is a value, too: one IR serves every launch, and an analysis that
/// knows the launch binds it (LaunchShape). None of these registers changes
/// while the thread runs; reading one that does, such as a clock, is an
/// Operation::Sample.
enum class SpecialRegister : uint8_t {
#define SPECIAL(NAME, TEXT, PTX) NAME,
#include "cudaopt/IR/SpecialRegisters.def"
};

/// One pure value. Function::value() maps an id to its value. Fields that a
/// kind does not mention keep their defaults.
struct Value {
  enum Kind : uint8_t {
    None,
    /// The number Integer, of any width. For a floating-point type, Integer
    /// holds the bits of the number.
    Literal,
    Special, ///< The special register Register.
    /// A parameter Decl of the function, which is no pointer; or a function
    /// Decl, as a pointer to it.
    Argument,
    Address, ///< The address of the first byte of Object.
    Offset,  ///< Operands: a pointer, and a number of bytes (s64 or u64).
    Phi,     ///< Operands: one for each predecessor of Block, in order.
    Result,  ///< The result of an operation in Block.
    Unary,   ///< Opcode is a clang::UnaryOperatorKind.
    Binary,  ///< Opcode is a clang::BinaryOperatorKind; comparisons, too.
    Select,  ///< Operands: condition, value if true, value if false.
    Convert, ///< The operand, converted to Ty as C++ does.
    /// The address of a pointer into shared memory as PTX instructions for
    /// `.shared` take it: a number of 64 bits that is relative to the shared
    /// window, the result of `__cvta_generic_to_shared`.
    SharedAddress,
    /// The generic pointer for such a number: the inverse of SharedAddress.
    SharedPointer,
    Pure,      ///< A call of Decl, whose result depends on its operands only.
    Undefined, ///< An undefined value, which may differ from use to use.
  };
  Kind What = None;
  Type Ty;
  uint16_t Opcode = 0;
  SpecialRegister Register = SpecialRegister::ThreadIdxX;
  ObjectId Object = 0;
  /// Distinguishes phis, results and undefined values, which are never merged.
  uint32_t Unique = 0;
  const clang::Decl *Decl = nullptr;
  llvm::APSInt Integer;
  llvm::SmallVector<ValueId, 3> Operands;
  /// The block in which a phi or a result is defined. Equality of values
  /// ignores it.
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

/// Returns the name that the IR prints: "threadIdx.x".
llvm::StringRef getName(SpecialRegister R);

/// Returns the register that PTX calls \p Name, without '%': "tid.x". Returns
/// std::nullopt if there is none, or if its value changes while a thread runs,
/// as that of a clock does.
std::optional<SpecialRegister> findSpecialRegister(llvm::StringRef Name);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_VALUE_H
