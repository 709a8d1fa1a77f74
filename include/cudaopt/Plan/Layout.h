// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Layouts: where the elements of a shared array are stored. A layout is a
/// value that tells for each element of the declared array its position in the
/// new one; the search counts bank conflicts with it, the rewriter prints it as
/// subscripts, and the verifier checks that it is a bijection.
///
/// \verbatim
///   Layout Pad;
///   Pad.Kind = Layout::Family::Pad;
///   Pad.Padding = 1;                       // __shared__ float s[32][32];
///   Pad.apply(32, Shape)                   // 33: s[1][0] in s'[32][33]
///   Pad.storage(Shape)                     // 1056 elements
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLAN_LAYOUT_H
#define CUDAOPT_PLAN_LAYOUT_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <string>

namespace cudaopt {

/// One of the terms that an Xor layout (a swizzle) combines with the column by
/// exclusive or:
///
///   t(x) = (x >> Shift mod 2^Bits) * Factor
///
/// where x is a coordinate of the element. Factor is a power of two unless Bits
/// is 1. With IsReversed, the Bits bits are taken in reverse order.
struct BitTerm {
  /// The coordinate x: 0 is the column, 1 the row, 2 the plane, ...
  uint8_t From = 1;
  uint8_t Shift = 0;
  uint8_t Bits = 1; ///< 1 to 16.
  bool IsReversed = false;
  uint32_t Factor = 1;

  /// Returns t(\p X).
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

/// A one-to-one map from the elements of an array A to positions in the new
/// array A'.
///
/// The coordinates of element number i (row-major) of an array of extents
/// E1 x ... x En, n > 1, are its subscripts, from the last to the first: the
/// column c, the row r, the plane and so on. An array of one dimension is seen
/// as rows of length Pitch: c = i mod Pitch, r = i / Pitch; with Pitch = 0, as
/// one row: c = i. P is the length of a row, En or Pitch.
///
/// \verbatim
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
///              arrays
///   Transform  { A[r, c] -> A'[x' + P * y'] }, (x', y') = T (c, r): a linear
///              map that leaves holes
/// \endverbatim
///
/// Transform is the mapping of "Experimental evaluation of memory optimizations
/// on an embedded GPU platform".
///
/// Xor must not leave the array, nor map two elements to one: it permutes each
/// aligned chunk of 2^m elements of a row within itself, m the number of low
/// bits that its terms may change. Therefore 2^m must divide P and the number
/// of elements, or for n > 1 the length of the rows of A'; and terms of the
/// column may read the bits from m on only.
struct Layout {
  enum class Family { Identity, Pad, Permute, Xor, Rotate, Fields, Transform };
  Family Kind = Family::Identity;
  /// The row length P of an array of one dimension; 0 for other arrays.
  uint64_t Pitch = 0;
  /// The elements added to each row, for Pad, Permute and Xor.
  unsigned Padding = 0;
  /// The rows added to each plane, for Pad and Xor if n > 2.
  unsigned RowPadding = 0;
  /// The new order of the dimensions, for Permute if n > 1.
  llvm::SmallVector<uint8_t, 4> Order;
  llvm::SmallVector<BitTerm, 2> Terms; ///< The terms of an Xor.
  unsigned Step = 0; ///< The columns that Rotate adds for each row.
  /// The matrix of a Transform: { {a, b}, {c, d} } stands for x' = a x + b y,
  /// y' = c x + d y.
  std::array<std::array<unsigned, 2>, 2> T = {{{1, 0}, {0, 1}}};

  /// Returns P, the number of elements in a row of an array of shape \p Shape.
  uint64_t pitchOf(const ArrayShape &Shape) const;
  /// Returns the new position, in elements, of the element with the row-major
  /// number \p Index. Not defined for Fields, which has no such position.
  uint64_t apply(uint64_t Index, const ArrayShape &Shape) const;
  /// Returns the new address, in bytes from the start of the array, of byte
  /// \p Offset of element \p Index.
  uint64_t address(uint64_t Index, unsigned Offset,
                   const ArrayShape &Shape) const;
  /// Returns the number of elements of the rewritten declaration: whole rows
  /// for n > 1 and for Permute, else up to the position of the last element.
  /// For Fields, the number of elements of each field.
  uint64_t storage(const ArrayShape &Shape) const;
  /// Returns the number of bytes that the rewritten declaration takes.
  uint64_t bytes(const ArrayShape &Shape) const;
  /// Returns why this is no valid layout for an array of shape \p Shape (two
  /// elements would share a position, or a parameter is missing), as a phrase
  /// for a developer; null if it is valid.
  const char *findMisfit(const ArrayShape &Shape) const;
  /// Returns the greatest power of two, at most 16, such that aligned chunks of
  /// that many elements stay contiguous and aligned in the new array, provided
  /// that its base is aligned. Wide accesses rely on that.
  unsigned keptChunk(const ArrayShape &Shape) const;
  /// Returns the number m of low bits of the column that an Xor may change.
  unsigned changedBits() const;
  /// Returns the layout as reports print it: "[32][33]",
  /// "[52][52] c ^ (r >> 2 & 3)", "[8][9][8] c ^ ((p >> 2) << 2)".
  std::string text(const ArrayShape &Shape) const;
  bool operator==(const Layout &) const = default;
};

/// The kind of layout that the user wants, by --layout or an annotation.
enum class LayoutChoice {
  Auto,      ///< The best one of any family, if it pays.
  Pad,       ///< Pad only.
  Xor,       ///< Xor with one term.
  Linear,    ///< Xor with any terms (linear over the two-element field).
  Transform, ///< Transform only.
  Keep       ///< The layout of the source.
};

/// Returns "auto", "pad", "xor", "linear", "T" or "keep".
llvm::StringRef getName(LayoutChoice Choice);
/// Returns the choice called \p Name; std::nullopt if there is none.
std::optional<LayoutChoice> parseLayoutChoice(llvm::StringRef Name);

} // namespace cudaopt

#endif // CUDAOPT_PLAN_LAYOUT_H
