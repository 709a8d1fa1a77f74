// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which accesses of a thread to shared memory the compiler issues as one wider
/// request: what holds for the model of the source as for device code.
///
/// As measured with nvcc 13.0 (-O3, sm_90), accesses to consecutive elements of
/// 4 or 8 bytes become one of 8 or 16 bytes, if every address is provably a
/// multiple of that, and nothing between them is in the way.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_MERGEDREQUESTS_H
#define CUDAOPT_MACHINE_MERGEDREQUESTS_H

#include "cudaopt/Machine/BankMap.h"

#include <cstdint>

namespace cudaopt {

/// The compiler merges accesses to at most so many bytes.
inline constexpr unsigned MaxMergedBytes = 16;

/// True if accesses of \p Width bytes are merged at all.
constexpr bool isMergedWidth(unsigned Width) {
  return Width == 4 || Width == 8;
}

/// True if the compiler does not move an access across \p Between, an access
/// to the same array or to another one.
constexpr bool isObstacle(MemoryOp Moved, MemoryOp Between, bool IsSameArray) {
  if (Moved == MemoryOp::Load)
    return Between != MemoryOp::Load;
  return Between != Moved || !IsSameArray;
}

/// Returns the length of the longest chunk around \p Place that begins at a
/// multiple of its length, a power of two of at most \p MaxCount, and of which
/// \p isThere(place, length) holds in every place.
template <class Predicate>
unsigned findMergedCount(uint32_t Place, unsigned MaxCount, Predicate isThere) {
  for (unsigned Count = MaxCount; Count > 1; Count /= 2) {
    const uint32_t First = Place / Count * Count;
    uint32_t Next = First;
    while (Next < First + Count && isThere(Next, Count))
      ++Next;
    if (Next == First + Count)
      return Count;
  }
  return 1;
}

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_MERGEDREQUESTS_H
