// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Symbolic values: expressions over the bytes of the inputs. Expressions are
/// hash-consed, so that equal identifiers mean equal bits for all data;
/// different identifiers mean nothing. (The effect of PolyCheck, POPL'16,
/// without generating code.)
///
/// \verbatim
///   x = in0[4] + 1.0;   y = 1.0 + in0[4];     one term: fadd(in0[4], 1.0),
///   since
///                                             operands of commutative
///                                             operations are sorted
/// \endverbatim
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
  /// The variable's number, TermTable::sharedBase.
  uint32_t Base = 0;
  int64_t Offset = 0; ///< In bytes, from the start of the variable.
  unsigned Bits = 64; ///< 32 or 64.
  /// A generic address; else an offset in the window of shared memory.
  bool IsGeneric = false;
  bool operator==(const SharedAddress &) const = default;
};

using TermId = uint32_t; ///< 0 means no term.

/// What a term is: an operation on its operands A, B, C, or a leaf.
struct TermOperator {
  enum class Kind : uint8_t {
    /// An operation with Code, Variant, Bits and SourceBits, on A, B and C.
    Operation,
    Constant, ///< A and B are the low and the high half of the value.
    Symbol,   ///< An input: Bits bits at byte B of input number A.
    Byte,     ///< Byte B of term A.
    /// The bytes of A followed by those of B: the result of a load that finds
    /// the
    /// values of several stores.
    Bytes,
    Undefined, ///< A byte that was never written.
    /// The address of byte B (signed) of shared variable A, as an offset of 32
    /// bits in the window of shared memory.
    Address,
  };
  Kind What = Kind::Operation;
  Opcode Code = Opcode::Move;
  uint8_t Variant = 0, Bits = 0, SourceBits = 0;
  bool operator==(const TermOperator &) const = default;
};

/// The terms of a comparison. Both sides must use one table, so that their
/// identifiers can be compared.
class TermTable {
public:
  struct Term {
    TermOperator Operator;
    uint32_t A = 0, B = 0, C = 0;
    bool operator==(const Term &) const = default;
  };

  /// Returns the low \p Bits bits of \p Value as a constant; \p Bits is at most
  /// 64.
  TermId constant(uint64_t Value, unsigned Bits);
  /// Returns the symbol for \p Bits bits of the input \p Input at byte \p
  /// Offset.
  TermId symbol(uint32_t Input, uint32_t Offset, unsigned Bits);
  /// Returns the result of an operation as a term in normal form. The operands
  /// of commutative operations are sorted. Operations that keep the bits (mov,
  /// a conversion to the same width) return A; masks and shifts that only move
  /// whole bytes return the bytes moved. Everything else that decides the
  /// result (an immediate, which of two results it is) must be an operand or
  /// part of \p Variant.
  TermId apply(Opcode Code, unsigned Variant, unsigned Bits,
               unsigned SourceBits, TermId A, TermId B = 0, TermId C = 0);
  /// Returns \p Bits bits of memory that was never written.
  TermId undefined(unsigned Bits = 8);

  // Addresses of shared memory. The number at which a variable lies is not part
  // of its terms: results that do not depend on it are folded, others are
  // operations on an address.

  /// Returns the number of the shared variable with the mangled name \p Key,
  /// the same for all programs that share the table. Its address is a multiple
  /// of
  /// \p Alignment, a power of two.
  uint32_t sharedBase(llvm::StringRef Key, llvm::StringRef Name,
                      uint32_t Alignment);
  TermId address(const SharedAddress &Where);
  /// Returns the address that \p Id is; std::nullopt if it is something else.
  std::optional<SharedAddress> asAddress(TermId Id) const;
  /// Returns true if some part of \p Id is an address.
  bool hasAddress(TermId Id) const { return Parts[Id] & AddressPart; }
  /// Returns true if the value of \p Id depends on the number at which a
  /// variable lies, other than by being an address.
  bool dependsOnAddress(TermId Id) const { return Parts[Id] & NumberPart; }
  /// Formats an address: "&s+12".
  std::string textOf(const SharedAddress &Where) const;

  // Bytes, the lowest first. A term whose width is no multiple of 8 is zero
  // extended. Terms composed of the same bytes are the same term, whatever the
  // steps: all bytes of one term, joined, are that term, and a byte of a Bytes
  // term is that byte itself. So copying a float byte by byte changes nothing.

  /// Returns byte \p Index of \p Of.
  TermId byte(TermId Of, unsigned Index);
  /// Returns the bytes of \p Low followed by those of \p High.
  TermId bytes(TermId Low, TermId High);
  /// Returns \p Count bytes of \p Of, from byte \p First on.
  TermId slice(TermId Of, unsigned First, unsigned Count);
  /// Returns the value of \p Size bytes of memory, at most 16. Bytes without a
  /// tag (tagOf in Executor.h) are the numbers \p Values.
  TermId fromTags(const uint64_t *Tags, const Byte *Values, unsigned Size);

  const Term &operator[](TermId Id) const { return Nodes[Id]; }
  size_t size() const { return Nodes.size(); }
  /// The width of the value in bits; 1 for a comparison.
  unsigned width(TermId Id) const;
  /// Returns true if an undefined byte is part of \p Id.
  bool dependsOnUndefined(TermId Id) const { return Parts[Id] & UndefinedPart; }
  /// Formats a term, "fadd(in0[4], 1.0)", cut after some hundred characters.
  std::string text(TermId Id) const;

private:
  /// A byte in normal form: byte Index of Of, which is neither a constant nor
  /// made of bytes; or, if Of is 0, the constant Index.
  struct ByteRef {
    TermId Of;
    unsigned Index;
  };
  using ByteRefs = llvm::SmallVector<ByteRef, 16>;
  /// An entry of the hash table. Comparing hashes first avoids most looks at
  /// nodes.
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
  /// Flags for what occurs anywhere in a term: an undefined byte, an address, a
  /// value that depends on the number of an address.
  static constexpr uint8_t UndefinedPart = 1, AddressPart = 2, NumberPart = 4;
  struct SharedBase {
    std::string Key, Name;
    uint32_t Alignment;
    bool operator==(const SharedBase &) const = default;
  };

  std::vector<uint8_t> Parts = {0}; ///< The flags of each node.
  std::vector<SharedBase> Bases;    ///< Indexed by a variable's number.
  /// The hash table: open addressing, the size is a power of two.
  std::vector<Slot> Slots;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_TERMS_H
