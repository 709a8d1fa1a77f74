// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The warp requests of a kernel: which elements of a shared array the lanes of
/// a warp access together, and what that costs under a given layout.
///
/// Costs are computed in two steps, so that a search may try thousands of
/// layouts without evaluating the kernel again: collectPatterns enumerates the
/// executions of the accesses as patterns of element numbers, which no layout
/// changes, and countPattern maps a pattern to addresses and counts its
/// wavefronts:
///
/// \verbatim
///   AccessPatterns All = collectPatterns(Instance, Array);
///   double Wavefronts = 0;
///   for (const LanePattern &P : All.Patterns)
///     Wavefronts += P.Weight * countPattern(Map, P, Address).Wavefronts;
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_BANKCONFLICTS_H
#define CUDAOPT_ANALYSIS_BANKCONFLICTS_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Model/Kernel.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace cudaopt {

/// What the lanes of a warp access in one execution of one access: lane l
/// accesses element Elements[l] (row-major number) if bit l of ActiveLanes is
/// set.
struct LanePattern {
  MemoryOp Op;
  unsigned Width;  ///< Bytes that each lane accesses.
  unsigned Offset; ///< Bytes from the start of the element.
  uint32_t ActiveLanes;
  std::array<uint32_t, WarpSize> Elements;
  /// Executions per block, averaged over the blocks. Loads of what the thread
  /// has in a register already are not counted.
  double Weight;
  double SourceWeight = Weight; ///< Weight, with these loads.
  /// The number of executions that the pattern stands for: 1, 2, 4, 8 or 16. If
  /// there are several, the compiler may merge them into one wider access; lane
  /// l then accesses elements Elements[l] + 0, 1, ..., Count - 1.
  unsigned Count = 1;
  /// If not 0, the executions access members of the one element Elements[l]
  /// instead, this many bytes apart: s[i].x, s[i].y, ...
  unsigned MemberStep = 0;
  /// The most elements, a power of two, that stay merged if a layout moves
  /// aligned chunks of so many of them as a whole (ColumnSum::Chunk).
  unsigned KeptChunk = 1;
  /// The alignment of the array's first byte, in bytes; no wider access can be
  /// aligned in it.
  unsigned BaseAlignment = 16;
  /// For an array of one dimension, the length of the rows that the subscript
  /// spells (LinearSplit::Pitch); 0 if it spells none.
  uint64_t Pitch = 0;
  /// An element that some lane accesses in another execution of the same code.
  /// The compiler merges in all executions or in none, so that this element
  /// must be aligned, too; one sample stands for all other executions.
  std::optional<uint32_t> Elsewhere;

  /// Returns the warp request for the \p Merged executions from number \p First
  /// on, merged into one access, if byte o of element e is stored at
  /// \p Address (e, o). Address returns bytes from the start of the array.
  template <class AddressFunction>
  WarpRequest makeRequest(AddressFunction Address, unsigned First = 0,
                          unsigned Merged = 1) const {
    WarpRequest R{Op, Width * Merged, ActiveLanes, {}};
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (R.isActive(Lane))
        R.Addresses[Lane] = place(Address, Elements[Lane], First);
    return R;
  }

  /// Returns true if the compiler can merge the \p Merged executions from
  /// number \p First on: in every lane their bytes are contiguous and aligned
  /// as a whole.
  template <class AddressFunction>
  bool canMerge(AddressFunction Address, unsigned First,
                unsigned Merged) const {
    if (Merged * Width > BaseAlignment)
      return false;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (ActiveLanes >> Lane & 1 &&
          !isChunk(Address, Elements[Lane], First, Merged))
        return false;
    return !Elsewhere || isChunk(Address, *Elsewhere, First, Merged);
  }

private:
  template <class AddressFunction>
  uint64_t place(AddressFunction Address, uint32_t Element, unsigned I) const {
    return MemberStep ? Address(Element, Offset + I * MemberStep)
                      : Address(Element + I, Offset);
  }

  template <class AddressFunction>
  bool isChunk(AddressFunction Address, uint32_t Element, unsigned First,
               unsigned Merged) const {
    const uint64_t Begin = place(Address, Element, First);
    if (Begin % (Merged * Width))
      return false;
    for (unsigned I = 1; I < Merged; ++I)
      if (place(Address, Element, First + I) != Begin + I * Width)
        return false;
    return true;
  }
};

/// What one execution of a pattern (Count source accesses) costs.
struct PatternCost {
  unsigned Wavefronts = 0;
  unsigned Requests = 0; ///< Instructions of the warp.
};

/// Returns how many executions of \p P, from number \p First on, the compiler
/// merges into one access: a power of two, at most \p MaxMerged. Callers pass 1
/// for MaxMerged if the compiler cannot see that the addresses differ by
/// constants.
template <class AddressFunction>
unsigned findMerged(const LanePattern &P, AddressFunction Address,
                    unsigned First, unsigned MaxMerged = 16) {
  unsigned Merged = std::min(P.Count, MaxMerged);
  while (Merged > 1 && (First % Merged || Merged * P.Width > 16 ||
                        !P.canMerge(Address, First, Merged)))
    Merged /= 2;
  return Merged;
}

/// Returns the cost of \p P if byte o of element e is stored at \p Address
/// (e, o) and the compiler merges accesses as findMerged says.
template <class AddressFunction>
PatternCost countPattern(const BankMap &Map, const LanePattern &P,
                         AddressFunction Address, unsigned MaxMerged = 16) {
  PatternCost Cost;
  for (unsigned First = 0; First < P.Count;) {
    const unsigned Merged = findMerged(P, Address, First, MaxMerged);
    Cost.Wavefronts +=
        countWavefronts(Map, P.makeRequest(Address, First, Merged));
    ++Cost.Requests;
    First += Merged;
  }
  return Cost;
}

/// Returns the cost of \p P if the compiler merges nothing: Count requests of
/// the width that the source has.
template <class AddressFunction>
PatternCost countSourcePattern(const BankMap &Map, const LanePattern &P,
                               AddressFunction Address) {
  PatternCost Cost;
  for (unsigned First = 0; First < P.Count; ++First)
    Cost.Wavefronts += countWavefronts(Map, P.makeRequest(Address, First));
  Cost.Requests = P.Count;
  return Cost;
}

/// Returns a lower bound of the wavefronts that \p P needs under any layout,
/// whether or not the layout lets the compiler merge the accesses.
unsigned boundPattern(const BankMap &Map, const LanePattern &P,
                      unsigned ElementSize);

/// The patterns of one array in one instance of a kernel. Equal patterns occur
/// once, with the sum of their weights.
struct AccessPatterns {
  std::vector<LanePattern> Patterns;
  /// The number of accesses that have no pattern, at least in some executions:
  /// they are opaque, out of bounds, dependent on a parameter, or in a block of
  /// unknown shape.
  unsigned NumUncounted = 0;
  /// False if the weights are estimates: a trip count, a guard or the grid is
  /// unknown, or only some of the blocks or iterations were evaluated.
  bool IsExact = true;
};

/// Returns the patterns of array \p Array in \p Instance. A loop of unknown
/// trip count is taken to run 10 times, a condition of unknown value to hold.
/// Large kernels are sampled, so that the time is bounded.
AccessPatterns collectPatterns(const KernelInstance &Instance, ArrayId Array);
/// Returns the patterns of the access \p One, as if no other access were there
/// to be merged with it.
AccessPatterns collectPatterns(const KernelInstance &Instance,
                               const Access &One);

/// Prints, for every instance and array of \p K, the requests per block, their
/// wavefronts with the array stored as declared and accesses merged as the
/// compiler does, and the lower bound of the wavefronts (--print=analysis).
void printConflicts(const Kernel &K, const Target &T, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_BANKCONFLICTS_H
