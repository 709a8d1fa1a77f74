// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The two orders of storages.
//===----------------------------------------------------------------------===//

#include "StorageWorth.h"

using namespace cudaopt;

/// Sums that differ by no more than this factor are equal.
static constexpr double Tolerance = 1e-9;

/// Returns a number less than 0 if a multiprocessor is faster with \p A than
/// with \p B, greater than 0 if it is slower. Two quantities matter: the
/// wavefronts, which take their time however many blocks there are, and the
/// blocks, which hide all other latencies. Their quotient is compared: a gain
/// in one must be greater, in proportion, than the loss in the other.
static int compareSpeed(const StorageWorth &A, const StorageWorth &B) {
  if (!A.Blocks || !B.Blocks)
    return int(B.Blocks != 0) - int(A.Blocks != 0);
  const double OfA = A.Wavefronts * B.Blocks, OfB = B.Wavefronts * A.Blocks;
  if (OfA < OfB * (1 - Tolerance))
    return -1;
  if (OfB < OfA * (1 - Tolerance))
    return 1;
  return int(B.Blocks > A.Blocks) - int(A.Blocks > B.Blocks);
}

bool StorageWorth::isWorthMore(const StorageWorth &Old,
                               ReuseChoice Wanted) const {
  if (Loses || NumWaiting > Old.NumWaiting)
    return false;
  if (NumTooLarge != Old.NumTooLarge)
    return NumTooLarge < Old.NumTooLarge;
  if (const int Order = compareSpeed(*this, Old))
    return Order < 0;
  if (Wanted == ReuseChoice::Bytes)
    return Bytes < Old.Bytes;
  return CarveOut < Old.CarveOut;
}

bool StorageWorth::isBetterThan(const StorageWorth &Other,
                                ReuseChoice Wanted) const {
  if (Loses != Other.Loses)
    return Other.Loses;
  if (NumWaiting != Other.NumWaiting)
    return NumWaiting < Other.NumWaiting;
  if (NumTooLarge != Other.NumTooLarge)
    return NumTooLarge < Other.NumTooLarge;
  if (const int Order = compareSpeed(*this, Other))
    return Order < 0;
  const bool IsCheaper = Charge < Other.Charge * (1 - Tolerance);
  const bool IsDearer = Other.Charge < Charge * (1 - Tolerance);
  if (Wanted == ReuseChoice::Bytes && Bytes != Other.Bytes)
    return Bytes < Other.Bytes;
  if (IsCheaper || IsDearer)
    return IsCheaper;
  if (CarveOut != Other.CarveOut)
    return CarveOut < Other.CarveOut;
  return Bytes < Other.Bytes;
}
