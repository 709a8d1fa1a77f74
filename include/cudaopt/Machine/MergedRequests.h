// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which accesses of a thread to shared memory the compiler (ptxas) issues as
/// one wider request. The rule serves both the model of the source and the
/// lowering of device code, so that they predict the same wavefronts.
///
/// As measured with nvcc 13.0 (-O3, sm_90), accesses to consecutive elements of
/// 4 or 8 bytes become one request of 8 or 16 bytes, and those of 2 bytes one
/// of 4 or 8, if every address is provably a multiple of that width and no
/// access between them is an obstacle:
///
///   x = s[4 * i]; y = s[4 * i + 1];     one load of 8 bytes, if s is aligned
///   to 8
///
/// A load of 2 bytes that is widened to an integer of 4 bytes is no candidate:
/// it is one instruction with the conversion. Those to 16-bit registers are:
/// for arithmetic in half precision, copies, and conversions to float.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_MERGEDREQUESTS_H
#define CUDAOPT_MACHINE_MERGEDREQUESTS_H

#include "cudaopt/Machine/BankMap.h"

#include <cstdint>

namespace cudaopt {

/// The greatest width of a merged request.
inline constexpr unsigned MaxMergedBytes = 16;

/// Returns the greatest width of a request that accesses of \p Width bytes are
/// merged to; Width itself if they are not merged.
constexpr unsigned mergedBytes(unsigned Width) {
  switch (Width) {
  case 2:
    return 8;
  case 4:
  case 8:
    return MaxMergedBytes;
  default:
    return Width;
  }
}

/// Returns true if the compiler does not move an access of kind \p Moved across
/// an access of kind \p Between, to the same array (\p IsSameArray) or another
/// one. Loads move across loads only; a store moves only across stores to its
/// own array.
constexpr bool isObstacle(MemoryOp Moved, MemoryOp Between, bool IsSameArray) {
  if (Moved == MemoryOp::Load)
    return Between != MemoryOp::Load;
  return Between != Moved || !IsSameArray;
}

/// Returns the length, in elements, of the merged request that element \p Place
/// belongs to: the longest chunk that contains it, begins at a multiple of its
/// length, has a length that is a power of two of at most \p MaxCount, and of
/// which \p IsThere(element, length) holds for every element. Returns 1 if
/// there is none.
///
/// For elements 4, 5 and 7 and MaxCount 4: 2 for element 5 (the chunk 4..5), 1
/// for element 7.
template <class Predicate>
unsigned findMergedCount(uint32_t Place, unsigned MaxCount, Predicate IsThere) {
  for (unsigned Count = MaxCount; Count > 1; Count /= 2) {
    const uint32_t First = Place / Count * Count;
    uint32_t Next = First;
    while (Next < First + Count && IsThere(Next, Count))
      ++Next;
    if (Next == First + Count)
      return Count;
  }
  return 1;
}

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_MERGEDREQUESTS_H
