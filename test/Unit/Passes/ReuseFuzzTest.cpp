// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Live ranges, the verifier of storage and runs of the steps agree on random
/// programs.
//===----------------------------------------------------------------------===//

#include "PhaseExecutor.h"
#include "RandomPhases.h"
#include "cudaopt/Analysis/LiveRanges.h"

#include "gtest/gtest.h"

using namespace cudaopt;

/// Places one behind the other.
static std::vector<StoredAt> placeApart(const SharedProgram &P) {
  std::vector<StoredAt> Places;
  uint64_t End = 0;
  for (const SharedVariable &V : P.Variables) {
    Places.push_back({llvm::alignTo(End, V.Alignment), V.Size});
    End = Places.back().Offset + V.Size;
  }
  return Places;
}

/// The bytes of the block in which \p V has the elements \p Set.
static llvm::BitVector findBytes(const ElementSet &Set, const SharedVariable &V,
                                 uint64_t Offset) {
  llvm::BitVector Bytes(4096);
  for (const unsigned E : Set.set_bits())
    Bytes.set(Offset + E * V.ElementSize, Offset + (E + 1) * V.ElementSize);
  return Bytes;
}

/// True if \p A and \p B at \p Places never have the same byte busy at once.
static bool areDisjoint(const LiveRanges &Ranges, const SharedProgram &P,
                        llvm::ArrayRef<StoredAt> Places, VariableId A,
                        VariableId B) {
  return llvm::none_of(Ranges.Intervals, [&](const LiveInterval &I) {
    return findBytes(I.Busy[A], P.Variables[A], Places[A].Offset)
        .anyCommon(findBytes(I.Busy[B], P.Variables[B], Places[B].Offset));
  });
}

static bool isVerified(const SharedProgram &P,
                       llvm::ArrayRef<StoredAt> Places) {
  llvm::Error E = verifyStorage(P, Places);
  const bool IsGood = !E;
  llvm::consumeError(std::move(E));
  return IsGood;
}

/// Every variable as low as those before it let it.
static std::vector<StoredAt> placeByInterference(const SharedProgram &P,
                                                 const LiveRanges &Ranges) {
  std::vector<StoredAt> Places;
  for (VariableId V = 0; V < P.Variables.size(); ++V) {
    StoredAt Place{0, P.Variables[V].Size};
    const auto collides = [&] {
      for (VariableId Other = 0; Other < V; ++Other)
        if (Ranges.interfere(V, Other) &&
            Place.Offset < Places[Other].Offset + Places[Other].Size &&
            Places[Other].Offset < Place.Offset + Place.Size)
          return true;
      return false;
    };
    while (collides())
      Place.Offset += P.Variables[V].Alignment;
    Places.push_back(Place);
  }
  return Places;
}

namespace {
/// How often what was said of two variables that overlap.
struct Tally {
  unsigned Pairs = 0, Disjoint = 0, Verified = 0, Different = 0;
};
} // namespace

static void checkPair(const SharedProgram &P, const LiveRanges &Ranges,
                      VariableId A, VariableId B, uint64_t Shift, Tally &Sum) {
  std::vector<StoredAt> Places = placeApart(P);
  const uint64_t Base =
      llvm::alignTo(Places.back().Offset + Places.back().Size, 16);
  Places[A].Offset = Base;
  Places[B].Offset = Base + Shift;
  const bool Disjoint = areDisjoint(Ranges, P, Places, A, B);
  const bool Verified = isVerified(P, Places);
  const bool Different = findsDifference(P, Places, 24);
  ++Sum.Pairs;
  Sum.Disjoint += Disjoint;
  Sum.Verified += Verified;
  Sum.Different += Different;
  EXPECT_FALSE(Disjoint && !Verified) << A << ' ' << B << ' ' << Shift;
  EXPECT_FALSE(Verified && Different) << A << ' ' << B << ' ' << Shift;
  EXPECT_FALSE(Disjoint && Different) << A << ' ' << B << ' ' << Shift;
}

// Of two variables that share bytes, the ranges say hardly less than the
// verifier does, and a run differs only if they forbid it.
TEST(ReuseFuzz, RangesVerifierAndRunsAgree) {
  Tally Sum;
  for (unsigned Seed = 0; Seed < 2000; ++Seed) {
    SCOPED_TRACE(Seed);
    const SharedProgram P = RandomPhases(Seed).make();
    const LiveRanges Ranges = computeLiveRanges(P);
    for (VariableId A = 0; A < P.Variables.size(); ++A)
      for (VariableId B = 0; B < P.Variables.size(); ++B) {
        const uint64_t Shift = Seed % 3 * P.Variables[B].Alignment;
        if (A != B && Shift < P.Variables[A].Size)
          checkPair(P, Ranges, A, B, Shift, Sum);
      }
    if (HasFailure())
      break;
  }
  RecordProperty("pairs", int(Sum.Pairs));
  RecordProperty("disjoint", int(Sum.Disjoint));
  RecordProperty("verified", int(Sum.Verified));
  RecordProperty("different", int(Sum.Different));
  // The programs are neither all trivial nor all hopeless, and the runs find
  // most of what is wrong.
  EXPECT_GT(Sum.Disjoint, Sum.Pairs / 4);
  EXPECT_GT(Sum.Different, (Sum.Pairs - Sum.Verified) / 3);
  // The verifier knows, too, that a read of a dead variable does no harm.
  EXPECT_LT(Sum.Verified - Sum.Disjoint, Sum.Pairs / 200);
}

// All variables at once, placed by who interferes with whom.
TEST(ReuseFuzz, PlacementByInterferenceIsVerified) {
  unsigned NumSmaller = 0;
  for (unsigned Seed = 0; Seed < 2000; ++Seed) {
    SCOPED_TRACE(Seed);
    const SharedProgram P = RandomPhases(Seed).make();
    const auto Places = placeByInterference(P, computeLiveRanges(P));
    ASSERT_TRUE(isVerified(P, Places));
    ASSERT_FALSE(findsDifference(P, Places, 8));
    NumSmaller += Places.back().Offset < placeApart(P).back().Offset;
  }
  EXPECT_GT(NumSmaller, 200u);
}

// Two variables that interfere are put on top of each other although the ranges
// forbid it: the verifier finds this, and runs by themselves find it often.
TEST(ReuseFuzz, DroppedInterferenceIsFound) {
  unsigned NumWrong = 0, NumFound = 0, NumFoundByRuns = 0;
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    SCOPED_TRACE(Seed);
    const SharedProgram P = RandomPhases(Seed).make();
    const LiveRanges Ranges = computeLiveRanges(P);
    std::vector<StoredAt> Places = placeApart(P);
    Places[1].Offset = Places[0].Offset;
    if (areDisjoint(Ranges, P, Places, 0, 1))
      continue;
    const bool Different = findsDifference(P, Places, 24);
    const bool Found = !isVerified(P, Places);
    EXPECT_TRUE(Found || !Different);
    ++NumWrong;
    NumFound += Found;
    NumFoundByRuns += Different;
  }
  EXPECT_GT(NumWrong, 200u);
  EXPECT_GT(NumFound, NumWrong - NumWrong / 100);
  EXPECT_GT(NumFoundByRuns, NumWrong / 3);
}
