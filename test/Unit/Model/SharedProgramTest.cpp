// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Model/SharedProgram.h"

#include "gtest/gtest.h"

using namespace cudaopt;

namespace {

/// entry -> work (writes) -> work (reads what the thread wrote) -> exit
SharedProgram makeProgram() {
  SharedProgram P;
  P.Variables.emplace_back().Size = 4;
  P.Variables[0].ElementSize = 4;
  P.Steps.resize(4);
  P.Steps[0].What = Step::Kind::Entry;
  P.Steps[1].What = Step::Kind::Exit;
  P.Steps[0].Successors = {2};
  P.Steps[2].Successors = {3};
  P.Steps[3].Successors = {1};
  for (StepId Id : {2, 3}) {
    SharedUse &U = P.Steps[Id].Uses.emplace_back();
    U.May = ElementSet(1, true);
    U.Must = U.Exposed = ElementSet(1);
    (Id == 2 ? U.Writes : U.Reads) = true;
  }
  return P;
}

// A barrier stands on every way to its place, and nowhere else.
TEST(SharedProgramTest, InsertsBarrierInFront) {
  SharedProgram P = insertBarriers(makeProgram(), {3});
  ASSERT_EQ(P.Steps.size(), 5u);
  EXPECT_EQ(P.Steps[4].What, Step::Kind::Barrier);
  EXPECT_EQ(P.Steps[2].Successors, (llvm::SmallVector<StepId, 2>{4}));
  EXPECT_EQ(P.Steps[4].Successors, (llvm::SmallVector<StepId, 2>{3}));
  EXPECT_EQ(P.Steps[0].Successors, (llvm::SmallVector<StepId, 2>{2}));
}

// Behind a new barrier, a thread may read what another one wrote.
TEST(SharedProgramTest, NewBarrierExposesReadsBehindIt) {
  EXPECT_TRUE(insertBarriers(makeProgram(), {3}).Steps[3].Uses[0].Exposed[0]);
  EXPECT_FALSE(insertBarriers(makeProgram(), {}).Steps[3].Uses[0].Exposed[0]);
}

} // namespace
