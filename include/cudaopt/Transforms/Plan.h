// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the passes decided: the rewriter's only input.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_PLAN_H
#define CUDAOPT_TRANSFORMS_PLAN_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/MapVector.h"
#include <string>

namespace cudaopt {

/// Where the elements of an array are stored. An array of extents E1 x ... x En
/// is seen as rows of pitch P: element number i (row-major) lies in row
/// r = i / P at column c = i mod P. For n > 1, P = En; an array of one dimension
/// says in Pitch how its subscripts divide it.
///
///   Identity  { A[r, c] -> A'[r, c] }
///   Pad       { A[r, c] -> A'[r, c] }, rows Pitch + Padding elements apart
///   Xor       { A[r, c] -> A'[r, c xor ((r >> RowShift) mod 2^Bits) << Unit] }
///
/// Xor needs no memory; it is a permutation of each row because 2^(Unit + Bits)
/// divides Pitch, and of the array because it divides the number of elements.
struct Layout {
  enum class Family { Identity, Pad, Xor };
  Family Kind = Family::Identity;
  uint64_t Pitch = 0; ///< Of an array of one dimension; else 0.
  unsigned Padding = 0;
  unsigned RowShift = 0, Bits = 0, Unit = 0;

  /// Elements of a row of an array of shape \p Shape.
  uint64_t pitchOf(const ArrayShape &Shape) const {
    return Shape.Extents.size() > 1 ? Shape.Extents.back() : Pitch;
  }
  /// Position, in elements, of row-major element \p Index in rows of pitch
  /// \p P.
  constexpr uint64_t apply(uint64_t Index, uint64_t P) const {
    uint64_t Row = P ? Index / P : 0, Column = P ? Index % P : Index;
    switch (Kind) {
    case Family::Identity:
      break;
    case Family::Pad:
      return Index + Row * Padding;
    case Family::Xor:
      return Row * P +
             (Column ^ ((Row >> RowShift & ((1u << Bits) - 1)) << Unit));
    }
    return Index;
  }
  /// Elements that the rewritten declaration has: for n > 1, all rows at the new
  /// pitch; for n = 1, up to the place of the last element.
  uint64_t storage(const ArrayShape &Shape) const;
  /// "pitch 33", "c ^ (r >> 2 & 3)": as reports print it.
  std::string text(const ArrayShape &Shape) const;
  bool operator==(const Layout &) const = default;
};

/// Wavefronts of all accesses of a kernel or of an array: per block, summed
/// over warps and iterations, averaged over blocks where they differ.
struct Wavefronts {
  double Before = 0, After = 0, Bound = 0;
  Wavefronts &operator+=(const Wavefronts &Other);
};

/// What became of one array.
struct LayoutDecision {
  Layout New;          ///< Identity: the array is kept.
  Blocker WhyKept;     ///< None if rewritten.
  Wavefronts Cost;     ///< Of the accesses that can be counted.
  bool IsExact = true; ///< False if loops were sampled or parameters assumed.

  bool isRewritten() const {
    return New.Kind != Layout::Family::Identity;
  }
};

/// What the passes decided for one kernel.
struct Plan {
  llvm::MapVector<ArrayId, LayoutDecision> Layouts;

  void print(const Kernel &K, llvm::raw_ostream &OS) const;
};

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PLAN_H
