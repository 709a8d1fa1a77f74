// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The warp requests of a kernel: which elements the lanes access together, and
/// what that costs.
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
  unsigned Width;  ///< Bytes a lane.
  unsigned Offset; ///< Bytes from the start of the element.
  uint32_t ActiveLanes;
  std::array<uint32_t, WarpSize> Elements;
  double Weight; ///< Executions per block, averaged over the blocks.
  /// Executions that the compiler may merge into one of a wider access: lane l
  /// accesses elements Elements[l] + 0, 1, ..., Count - 1. 1, 2, 4, 8 or 16.
  unsigned Count = 1;
  /// If not 0, they are members of element Elements[l] instead, this many bytes
  /// apart: s[i].x, s[i].y, ...
  unsigned MemberStep = 0;
  /// Of the array's first byte; nothing wider can be aligned in it.
  unsigned BaseAlignment = 16;
  /// Of an array of one dimension: the length of the rows that the subscript
  /// spells (LinearSplit::Pitch); 0 if it spells none.
  uint64_t Pitch = 0;
  /// What Elements[l] is for some lane of another execution of the same code:
  /// the compiler merges in all executions or in none.
  std::optional<uint32_t> Elsewhere;

  /// Returns the request that accesses elements Elements[l] + First to
  /// Elements[l] + First + Merged - 1, if byte o of element e is stored at
  /// \p Address (e, o).
  template <class AddressFunction>
  WarpRequest makeRequest(AddressFunction Address, unsigned First = 0,
                          unsigned Merged = 1) const {
    WarpRequest R{Op, Width * Merged, ActiveLanes, {}};
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (R.isActive(Lane))
        R.Addresses[Lane] = place(Address, Elements[Lane], First);
    return R;
  }

  /// True if the compiler can access \p Merged elements from \p First on at
  /// once: in every lane they are contiguous and aligned as a whole.
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
  unsigned Requests = 0; ///< Instructions.
};

/// Returns how many executions of \p P, from number \p First on, the compiler
/// merges; at most \p MaxMerged, a power of two: 1 if it cannot see that the
/// addresses differ by numbers.
template <class AddressFunction>
unsigned findMerged(const LanePattern &P, AddressFunction Address,
                    unsigned First, unsigned MaxMerged = 16) {
  unsigned Merged = std::min(P.Count, MaxMerged);
  while (Merged > 1 && (First % Merged || Merged * P.Width > 16 ||
                        !P.canMerge(Address, First, Merged)))
    Merged /= 2;
  return Merged;
}

/// Counts \p P if byte o of element e is stored at \p Address (e, o), at the
/// widths that the compiler makes of it.
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

/// Counts \p P at the width that the source has: Count requests.
template <class AddressFunction>
PatternCost countSourcePattern(const BankMap &Map, const LanePattern &P,
                               AddressFunction Address) {
  PatternCost Cost;
  for (unsigned First = 0; First < P.Count; ++First)
    Cost.Wavefronts += countWavefronts(Map, P.makeRequest(Address, First));
  Cost.Requests = P.Count;
  return Cost;
}

/// Returns the least wavefronts that \p P needs under any layout, whether or
/// not it merges the accesses.
unsigned boundPattern(const BankMap &Map, const LanePattern &P,
                      unsigned ElementSize);

/// The patterns of one array in one instance of a kernel; equal ones are
/// merged.
struct AccessPatterns {
  std::vector<LanePattern> Patterns;
  /// Accesses that have no pattern, at least in some executions: opaque, out of
  /// bounds, dependent on a parameter, or in a block of unknown shape.
  unsigned NumUncounted = 0;
  /// False if a trip count or a guard is unknown, or a loop was cut short.
  bool IsExact = true;
};

/// Returns the patterns of array \p Array in \p Instance. Loops of unknown trip
/// count are taken to run 10 times; conditions without a value to hold.
AccessPatterns collectPatterns(const KernelInstance &Instance, ArrayId Array);
/// The same of one access, as if it were alone.
AccessPatterns collectPatterns(const KernelInstance &Instance,
                               const Access &One);

/// Prints, for every instance and array of \p K, the requests, their wavefronts
/// as the array is declared and at the width that the compiler makes of the
/// accesses, and the bound: what --print=analysis shows.
void printConflicts(const Kernel &K, const Target &T, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_BANKCONFLICTS_H
