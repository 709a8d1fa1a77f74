// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the elements of an array are stored.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_LAYOUT_H
#define CUDAOPT_TRANSFORMS_LAYOUT_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <string>

namespace cudaopt {

/// A part of what an Xor layout adds to the columns, by xor:
///
///   t(x) = (x >> Shift mod 2^Bits) * Factor
///
/// where x is a coordinate of the element. Factor is a power of two unless Bits
/// is 1. With IsReversed, the Bits bits are taken in reverse order.
struct BitTerm {
  uint8_t From = 1; ///< 0: the column, 1: the row, 2: the plane, ...
  uint8_t Shift = 0;
  uint8_t Bits = 1; ///< 1 to 16.
  bool IsReversed = false;
  uint32_t Factor = 1;

  constexpr uint64_t apply(uint64_t X) const {
    uint64_t Taken = X >> Shift & ((uint64_t(1) << Bits) - 1);
    if (!IsReversed)
      return Taken * Factor;
    uint64_t Reversed = 0;
    for (unsigned Bit = 0; Bit < Bits; ++Bit)
      Reversed |= (Taken >> Bit & 1) << (Bits - 1 - Bit);
    return Reversed * Factor;
  }
  bool operator==(const BitTerm &) const = default;
};

/// A bijection from the elements of an array to places in the new array.
///
/// The coordinates of element number i (row-major) of an array of extents
/// E1 x ... x En, n > 1, are its subscripts: the column c, the row r, the
/// plane,
/// ... from the last to the first. An array of one dimension is seen as rows of
/// length Pitch: c = i mod Pitch, r = i / Pitch; with Pitch = 0 as one row, c =
/// i. P is the length of a row, En or Pitch.
///
///   Identity   { A[.., r, c] -> A'[.., r, c] }
///   Pad        { A[.., r, c] -> A'[.., r, c] }, each row Padding elements
///              longer, each plane RowPadding rows longer
///   Permute    { A[d1, .., dn] -> A'[d_Order[0], .., d_Order[n-1]] }, rows of
///              A' Padding elements longer. For n = 1 the dimensions are row
///              and column: { A[r, c] -> A'[c, r] }, a block-cyclic split.
///   Xor        { A[.., r, c] -> A'[.., r, c xor t1 xor t2 ...] }, rows and
///              planes of A' longer as for Pad
///   Rotate     { A[.., r, c] -> A'[.., r, (c + Step * r) mod P] }
///   Fields     { A[i].f -> A'.f[i] }: an array of structs as a struct of
///   arrays Transform  { A[r, c] -> A'[x' + P * y'] }, (x', y') = T (c, r): the
///   mapping
///              of document 000, with holes
///
/// Xor permutes each row of 2^m-element chunks, m the bits that its terms may
/// change: 2^m divides P and the number of elements, or for n > 1 the length of
/// the rows of A'. Terms of the column read bits from m on only.
struct Layout {
  enum class Family { Identity, Pad, Permute, Xor, Rotate, Fields, Transform };
  Family Kind = Family::Identity;
  uint64_t Pitch = 0;      ///< Of an array of one dimension; else 0.
  unsigned Padding = 0;    ///< Of Pad, Permute and Xor.
  unsigned RowPadding = 0; ///< Of Pad and Xor, if n > 2.
  llvm::SmallVector<uint8_t, 4> Order; ///< Of Permute, if n > 1.
  llvm::SmallVector<BitTerm, 2> Terms; ///< Of Xor.
  unsigned Step = 0;                   ///< Of Rotate.
  /// Of Transform: { {a, b}, {c, d} }, x' = a x + b y, y' = c x + d y; none is
  /// negative.
  std::array<std::array<unsigned, 2>, 2> T = {{{1, 0}, {0, 1}}};

  /// Elements of a row of an array of shape \p Shape.
  uint64_t pitchOf(const ArrayShape &Shape) const;
  /// Position, in elements, of row-major element \p Index. Not for Fields.
  uint64_t apply(uint64_t Index, const ArrayShape &Shape) const;
  /// Byte address, from the start of the array, of byte \p Offset of element
  /// \p Index.
  uint64_t address(uint64_t Index, unsigned Offset,
                   const ArrayShape &Shape) const;
  /// Elements that the rewritten declaration has: the stored rows as wholes for
  /// n > 1 and for Permute; else up to the place of the last element. For
  /// Fields, the elements of each field.
  uint64_t storage(const ArrayShape &Shape) const;
  /// Bytes that the rewritten declaration takes.
  uint64_t bytes(const ArrayShape &Shape) const;
  /// Why this is no layout of \p Shape (not a bijection, or not one of the
  /// forms above): a phrase for a developer; null if it is one.
  const char *findMisfit(const ArrayShape &Shape) const;
  /// The number of elements, a power of two, of the chunks that stay contiguous
  /// and aligned to their own size, as far as the layout decides (at most 16).
  unsigned keptChunk(const ArrayShape &Shape) const;
  /// The bits m that Xor may change: 2^m is greater than any sum of terms.
  unsigned changedBits() const;
  /// "[32][33]", "[52][52] c ^ (r >> 2 & 3)", "[8][9][8] c ^ ((p >> 2) << 2)":
  /// as reports print it.
  std::string text(const ArrayShape &Shape) const;
  bool operator==(const Layout &) const = default;
};

/// What the user wants to become of an array: --layout, or an annotation.
enum class LayoutChoice {
  Auto,
  Pad,       ///< Pad, and nothing else.
  Xor,       ///< Xor with one term of the row.
  Linear,    ///< Xor with any terms (linear over the two-element field).
  Transform, ///< T: the mapping of document 000.
  Keep
};

/// "auto", "pad", "xor", "linear", "T" or "keep".
llvm::StringRef getName(LayoutChoice Choice);
/// Returns the choice of that name.
std::optional<LayoutChoice> parseLayoutChoice(llvm::StringRef Name);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_LAYOUT_H
