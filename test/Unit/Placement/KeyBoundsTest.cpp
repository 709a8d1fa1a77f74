// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which keys are possible when part of the items is placed.
//===----------------------------------------------------------------------===//

#include "../../../lib/Placement/KeyBounds.h"

#include "gtest/gtest.h"

using namespace cudaopt;

namespace {

/// All items of a problem are unplaced, and may begin where Keys say.
struct Narrowed {
  Narrowed(const PlacementProblem &Problem, int64_t Capacity,
           std::vector<int64_t> Keys, int64_t Level)
      : Graph(buildInterferenceGraph(Problem)), Bounds(Graph, Capacity) {
    ItemSet Rest(Keys.size());
    std::vector<unsigned> Ranks, Sections;
    for (ItemId I = 0; I < Keys.size(); ++I) {
      Rest.insert(I);
      Ranks.push_back(I);
    }
    for (unsigned S = 0; S < Graph.Sections.size(); ++S)
      Sections.push_back(S);
    Fits = Bounds.narrow({Rest, Sections, Keys, Ranks, Level, 0});
  }

  const InterferenceGraph Graph;
  KeyBounds Bounds;
  bool Fits;
};

} // namespace

/// Sizes 4, 4 and 4; the second is in use together with each of the others.
static PlacementProblem path() {
  return {{{4, 1}, {4, 1}, {4, 1}},
          {{{0, 0, 4}, {1, 0, 4}}, {{1, 0, 4}, {2, 0, 4}}}};
}

TEST(KeyBoundsTest, OnlyOneWayRoundIsLeft) {
  const Narrowed N(path(), 10, {3, 0, 0}, 0);
  EXPECT_TRUE(N.Fits);
  EXPECT_EQ(N.Bounds.least(0), 4); // Not below item 1, so above it.
  EXPECT_EQ(N.Bounds.least(1), 0);
}

TEST(KeyBoundsTest, NeitherWayRoundIsLeft) {
  EXPECT_FALSE(Narrowed(path(), 10, {3, 3, 0}, 0).Fits);
}

// Nothing goes below 2 any more, so item 0 lies on item 1, which may.
TEST(KeyBoundsTest, PassedItemLiesOnOneThatComesLater) {
  const Narrowed N(path(), 20, {0, 5, 5}, 2);
  EXPECT_TRUE(N.Fits);
  EXPECT_EQ(N.Bounds.least(0), 9);
}

// Each pair fits, and all three by the sum of their sizes, but not from 4 on.
TEST(KeyBoundsTest, SectionMustFitFromItsLeastStart) {
  const PlacementProblem Problem = {{{4, 1}, {4, 1}, {4, 1}},
                                    {{{0, 0, 4}, {1, 0, 4}, {2, 0, 4}}}};
  EXPECT_FALSE(Narrowed(Problem, 15, {4, 4, 4}, 0).Fits);
  EXPECT_TRUE(Narrowed(Problem, 16, {4, 4, 4}, 0).Fits);
}
