// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs on terms.
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "Transposition.h"

namespace cudaopt::simt {
namespace {

/// The tags that a run leaves in its second buffer; the first is symbolic.
std::vector<uint64_t> tagsAfter(const std::string &Globals,
                                const std::string &Body, TermTable &Terms,
                                RunResult *Result = nullptr) {
  KernelRun K(Globals, "ptr %in, ptr %out", Body);
  K.Terms = &Terms;
  K.addBuffer(1024);
  K.addBuffer(1024);
  K.makeSymbolic(0, 1);
  K.L.Block = {32, 1, 1};
  RunResult R = K.run();
  if (Result)
    *Result = R;
  else
    EXPECT_EQ(R.Status, RunStatus::Finished) << R.Why;
  return K.Buffers[1]->Tags;
}

TEST(TermRunTest, ALayoutDoesNotChangeThem) {
  TermTable Terms;
  auto Original = tagsAfter(Tile, transposition(32), Terms);
  EXPECT_EQ(Original, tagsAfter(Tile, transposition(33), Terms));
  ASSERT_EQ(Original.size(), 4096u);
  EXPECT_EQ(Terms.text(static_cast<TermId>(Original[4 * 33] >> 8)),
            "add(in1[132], 1)");
}

TEST(TermRunTest, AnotherIndexChangesThem) {
  TermTable Terms;
  auto Original = tagsAfter(Tile, transposition(32), Terms);
  EXPECT_NE(Original, tagsAfter(Tile, transposition(32, "5"), Terms));
}

/// Loads %x of the input, and stores %v.
std::string onOne(const std::string &Body) {
  return R"(
  %x = load i32, ptr %in, align 4
)" + Body +
         R"(
  store i32 %v, ptr %out, align 4
  ret void
)";
}

TEST(TermRunTest, TheySurviveBytewiseMoves) {
  TermTable Terms;
  auto Tags = tagsAfter("", onOne(R"(
  %low = trunc i32 %x to i16
  %p = getelementptr i8, ptr %out, i64 100
  store i16 %low, ptr %p, align 4
  %high = lshr i32 %x, 16
  %q = getelementptr i8, ptr %in, i64 2
  %h = load i16, ptr %q, align 2
  %r = getelementptr i8, ptr %out, i64 102
  store i16 %h, ptr %r, align 2
  %v = load i32, ptr %p, align 4
)"),
                        Terms);
  EXPECT_EQ(Tags[0], tagOf(Terms.symbol(1, 0, 32), 0));
}

TEST(TermRunTest, HalvesJoinToTheWhole) {
  TermTable Terms;
  auto Tags = tagsAfter("", onOne(R"(
  %pair = bitcast i32 %x to <2 x i16>
  %low = extractelement <2 x i16> %pair, i32 0
  %other = insertelement <2 x i16> %pair, i16 %low, i32 0
  %v = bitcast <2 x i16> %other to i32
)"),
                        Terms);
  EXPECT_EQ(Tags[0], tagOf(Terms.symbol(1, 0, 32), 0));
}

TEST(TermRunTest, ANumberReplacesATermInMemory) {
  TermTable Terms;
  auto Tags = tagsAfter(Tile, onOne(R"(
  store volatile i32 %x, ptr addrspace(3) @s, align 4
  store volatile i32 5, ptr addrspace(3) @s, align 4
  %v = load i32, ptr addrspace(3) @s, align 4
)"),
                        Terms);
  EXPECT_TRUE(Tags.empty());
}

TEST(TermRunTest, ASelectOnATermIsATerm) {
  TermTable Terms;
  auto Tags = tagsAfter("", onOne(R"(
  %c = icmp eq i32 %x, 3
  %v = select i1 %c, i32 %x, i32 8
)"),
                        Terms);
  EXPECT_EQ(Terms.text(static_cast<TermId>(Tags[0] >> 8)),
            "select(icmp.eq(in1[0], 3), in1[0], 8)");
}

TEST(TermRunTest, WhereDataDecideTheRunStops) {
  auto Why = [](const std::string &Body) {
    TermTable Terms;
    RunResult R;
    tagsAfter("", onOne(Body), Terms, &R);
    EXPECT_EQ(R.Status, RunStatus::DataDependent);
    return R.Why + " in line " + std::to_string(R.Where.Line);
  };
  EXPECT_EQ(Why(R"(
  %c = icmp eq i32 %x, 3
  br i1 %c, label %a, label %b ; 7
a:
  store volatile i32 1, ptr %out, align 4
  br label %b
b:
  %v = add i32 0, 0
)"),
            "a branch depends on data in line 7");
  EXPECT_EQ(Why(R"(
  %p = getelementptr i32, ptr %in, i32 %x
  %v = load i32, ptr %p, align 4 ; 8
)"),
            "an address depends on data in line 8");
  EXPECT_EQ(Why(R"(
  %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 1, i32 %x, i32 31) ; 9
)"),
            "the lane of a shuffle depends on data in line 9");
}

TEST(TermRunTest, UninitialisedBytesAreUndefined) {
  TermTable Terms;
  RunResult R;
  auto Tags = tagsAfter(Tile, onOne(R"(
  %v = load i32, ptr addrspace(3) @s, align 4
)"),
                        Terms, &R);
  EXPECT_EQ(R.Seen.Findings.size(), 1u);
  EXPECT_TRUE(Terms.dependsOnUndefined(static_cast<TermId>(Tags[0] >> 8)));
}

} // namespace
} // namespace cudaopt::simt
