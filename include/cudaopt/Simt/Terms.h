// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Values as expressions over the bytes of the inputs. Expressions are
/// hash-consed: equal identifiers mean equal bits for all data. (The effect of
/// PolyCheck, POPL'16, without generating code.)
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_TERMS_H
#define CUDAOPT_SIMT_TERMS_H

#include "cudaopt/Simt/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt::simt {

/// An address of shared memory as a value: which variable it is in, and where.
struct SharedAddress {
  uint32_t Base = 0;      ///< TermTable::sharedBase.
  int64_t Offset = 0;     ///< Bytes from the start of the variable.
  unsigned Bits = 64;     ///< 32 or 64.
  bool IsGeneric = false; ///< Else an offset in the window of shared memory.
  bool operator==(const SharedAddress &) const = default;
};

using TermId = uint32_t; ///< 0 is no term.

/// What a term does to its operands: an operation, or a leaf.
struct TermOperator {
  enum class Kind : uint8_t {
    Operation, ///< Code, Variant, Bits, SourceBits of an Operation; A, B, C.
    Constant,  ///< A, B: the low and high half of the value.
    Symbol,    ///< The Bits-wide input at byte B of input A.
    Byte,      ///< Byte B of term A.
    Bytes,     ///< A followed by B: what a load finds that fits no one store.
    Undefined, ///< A byte that nobody wrote.
    Address, ///< Byte B (signed) of shared variable A, as an offset of 32 bits
             ///< in the window of shared memory.
  };
  Kind What = Kind::Operation;
  Opcode Code = Opcode::Move;
  uint8_t Variant = 0, Bits = 0, SourceBits = 0;
  bool operator==(const TermOperator &) const = default;
};

/// All terms of a comparison; both sides must use one table.
class TermTable {
public:
  struct Term {
    TermOperator Operator;
    uint32_t A = 0, B = 0, C = 0;
    bool operator==(const Term &) const = default;
  };

  /// The low \p Bits bits of \p Value; at most 64.
  TermId constant(uint64_t Value, unsigned Bits);
  /// \p Bits bits of the input \p Input at byte \p Offset.
  TermId symbol(uint32_t Input, uint32_t Offset, unsigned Bits);
  /// The operands of commutative operations are sorted. Operations that keep
  /// the bits (mov, a conversion to the same width) give A back; masks and
  /// shifts that only move whole bytes are the bytes moved. What else
  /// decides the result (an immediate, which of two results it is) must be an
  /// operand or part of \p Variant.
  TermId apply(Opcode Code, unsigned Variant, unsigned Bits,
               unsigned SourceBits, TermId A, TermId B = 0, TermId C = 0);
  TermId undefined(unsigned Bits = 8);

  // Addresses of shared memory. Where a variable lies is not part of its terms:
  // what does not depend on that is computed, and what does is an operation on
  // an address.
  /// The number of a shared variable, the same for all programs that share the
  /// table, by its mangled name \p Key. Its address is a multiple of
  /// \p Alignment, a power of two.
  uint32_t sharedBase(llvm::StringRef Key, llvm::StringRef Name,
                      uint32_t Alignment);
  TermId address(const SharedAddress &Where);
  /// The address that \p Id is, or nothing if it is something else.
  std::optional<SharedAddress> asAddress(TermId Id) const;
  /// True if a part of \p Id is an address.
  bool hasAddress(TermId Id) const { return Parts[Id] & AddressPart; }
  /// True if the number that an address is decides the value of \p Id.
  bool dependsOnAddress(TermId Id) const { return Parts[Id] & NumberPart; }
  /// "&s+12".
  std::string textOf(const SharedAddress &Where) const;

  // Bytes, the lowest first. A term whose width is no multiple of 8 counts as
  // zero extended. What is put together of the same bytes is the same term,
  // whatever the steps: all bytes of one term are that term, and a byte of
  // bytes is that byte.
  TermId byte(TermId Of, unsigned Index);
  TermId bytes(TermId Low, TermId High);
  /// \p Count bytes of \p Of from \p First on.
  TermId slice(TermId Of, unsigned First, unsigned Count);
  /// What is in \p Size bytes of memory, at most 16: those without a tag
  /// (tagOf in Executor.h) are \p Values.
  TermId fromTags(const uint64_t *Tags, const Byte *Values, unsigned Size);

  const Term &operator[](TermId Id) const { return Nodes[Id]; }
  size_t size() const { return Nodes.size(); }
  /// Bits of the value; 1 of a comparison.
  unsigned width(TermId Id) const;
  /// True if an undefined byte is part of \p Id.
  bool dependsOnUndefined(TermId Id) const { return Parts[Id] & UndefinedPart; }
  /// "fadd(in0[4], 1.0)", cut after some hundred characters.
  std::string text(TermId Id) const;

private:
  /// Byte Index of Of, which is no constant and not made of bytes; or, if Of is
  /// 0, the constant Index.
  struct ByteRef {
    TermId Of;
    unsigned Index;
  };
  using ByteRefs = llvm::SmallVector<ByteRef, 16>;
  /// The hash saves a look at the node.
  struct Slot {
    TermId Id = 0;
    uint32_t Hash = 0;
  };

  TermId intern(const Term &T);
  TermId movedBytes(Opcode Code, unsigned Bits, TermId A, TermId B);
  TermId shiftedBytes(Opcode Code, unsigned Size, TermId A, TermId By);
  void grow();
  uint8_t partsOf(const Term &T) const;
  std::optional<uint64_t> asConstant(TermId Id) const;
  TermId foldAddress(Opcode Code, unsigned Variant, unsigned Bits, TermId A,
                     TermId B);
  TermId foldAddressBits(Opcode Code, const SharedAddress &X, uint64_t Y);
  TermId foldComparison(unsigned Predicate, const SharedAddress &X,
                        const SharedAddress &Y);
  TermId foldComparisonWithNull(unsigned Predicate, const SharedAddress &X,
                                bool IsSwapped);
  unsigned byteSize(TermId Id) const { return (width(Id) + 7) / 8; }
  TermId wholeBytes(TermId Id);
  ByteRef resolve(TermId Of, unsigned Index);
  TermId make(ByteRef Ref);
  TermId join(llvm::ArrayRef<ByteRef> Refs);

  std::vector<Term> Nodes = {Term()};
  /// What is anywhere in a term.
  static constexpr uint8_t UndefinedPart = 1, AddressPart = 2, NumberPart = 4;
  struct SharedBase {
    std::string Key, Name;
    uint32_t Alignment;
    bool operator==(const SharedBase &) const = default;
  };

  std::vector<uint8_t> Parts = {0}; ///< Of each node.
  std::vector<SharedBase> Bases;    ///< By number.
  std::vector<Slot> Slots;          ///< Open addressing, a power of two.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_TERMS_H
