// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which layouts the pass chooses where rules refuse the best ones.
//===----------------------------------------------------------------------===//

#include "DecidedLayout.h"

#include <set>

using namespace cudaopt;

namespace {

/// Refuses layouts of some families, and arrays.
class RefusingRules : public PlanRules {
public:
  std::optional<Refusal> ofArray(ArrayId Array) const override {
    if (!Refused.count(Array))
      return std::nullopt;
    return Refusal{Reason::InHeader, "", {}};
  }
  std::optional<Refusal> ofLayout(ArrayId, const Layout &New) const override {
    if (!llvm::is_contained(Families, New.Kind))
      return std::nullopt;
    return Refusal{Reason::NotEditable, getName(New.Kind), {}};
  }

  std::vector<Family> Families;
  std::set<ArrayId> Refused;

private:
  static std::string getName(Family Kind) {
    return Kind == Family::Pad ? "pad" : "other";
  }
};

} // namespace

// Where the text cannot have longer rows, it may have another layout.
TEST(LayoutRulesTest, RefusedFamily) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 4);
  RefusingRules Rules;
  Rules.Families = {Family::Pad};
  const LayoutDecision D = planOf(H, {}, Rules).Layouts.front().second;
  EXPECT_TRUE(D.isRewritten());
  EXPECT_NE(D.New.Kind, Family::Pad);
  expectCost(D, 32 + 1024, 64, 64);
}

// The reason is that of the best layout, not of the last one that was tried.
TEST(LayoutRulesTest, RefusedFamilies) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 4);
  RefusingRules Rules;
  Rules.Families = {Family::Pad,    Family::Permute, Family::Xor,
                    Family::Rotate, Family::Fields,  Family::Transform};
  const LayoutDecision D = planOf(H, {}, Rules).Layouts.front().second;
  EXPECT_FALSE(D.isRewritten());
  EXPECT_EQ(D.Refused, Reason::NotEditable);
  EXPECT_EQ(D.Refused->Detail, "pad");
  expectCost(D, 32 + 1024, 32 + 1024, 64);
}

// What is refused of the array itself holds for all of its layouts; an array
// that gains nothing keeps its own reason.
TEST(LayoutRulesTest, RefusedArrays) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 4);
  const ArrayId Rows = H.array({32, 32}, 4);
  H.read(Rows, {H.threadY(), H.threadX()});
  RefusingRules Rules;
  Rules.Refused = {0, Rows};
  const Plan P = planOf(H, {}, Rules);
  EXPECT_EQ(P.Layouts.find(0)->second.Refused, Reason::InHeader);
  EXPECT_EQ(P.Layouts.find(Rows)->second.Refused, Reason::NoConflict);
}
