// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the user reads: findings, costs, and the listing of a program.
//===----------------------------------------------------------------------===//

#include "cudaopt/Simt/Observations.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

#include <set>

using namespace cudaopt;
using namespace cudaopt::simt;

static constexpr SourceRef Line7 = {0, 7, 3}, Line9 = {0, 9, 5};

/// A program of one file without operations.
static Program emptyProgram() {
  Program P;
  P.Name = "k";
  P.Files = {"k.cu"};
  P.Sites = {{}, Line7, Line9};
  return P;
}

static Finding found(FindingKind Kind, SourceRef Where, SourceRef Other = {}) {
  Finding F;
  F.Kind = Kind;
  F.Where = Where;
  F.Other = Other;
  F.Object = "s";
  return F;
}

// Findings.

TEST(FindingTest, IdsAreDistinct) {
  std::set<llvm::StringRef> Ids;
  for (unsigned Kind = 0; Kind <= unsigned(FindingKind::NoProgress); ++Kind)
    Ids.insert(idOf(FindingKind(Kind)));
  EXPECT_EQ(Ids.size(), unsigned(FindingKind::NoProgress) + 1);
  EXPECT_EQ(idOf(FindingKind::Race), "race");
}

TEST(FindingTest, ARaceWithinAWarpIsAWarning) {
  EXPECT_TRUE(isError(FindingKind::Race));
  EXPECT_FALSE(isError(FindingKind::WarpRace));
  Observations O;
  O.add(found(FindingKind::WarpRace, Line7));
  EXPECT_FALSE(O.hasErrors());
  O.add(found(FindingKind::Race, Line7));
  EXPECT_TRUE(O.hasErrors());
}

TEST(FindingTest, ARepeatedFindingIsCounted) {
  Observations O;
  Finding First = found(FindingKind::Race, Line7, Line9);
  First.Thread = 3;
  O.add(First);
  Finding Second = First;
  Second.Thread = 4;
  O.add(Second);
  ASSERT_EQ(O.Findings.size(), 1u);
  EXPECT_EQ(O.Findings[0].Count, 2u);
  EXPECT_EQ(O.Findings[0].Thread, 3u);
}

TEST(FindingTest, FindingsDifferInKindAndBothPlaces) {
  Observations O;
  O.add(found(FindingKind::Race, Line7, Line9));
  O.add(found(FindingKind::WarpRace, Line7, Line9));
  O.add(found(FindingKind::Race, Line9, Line9));
  O.add(found(FindingKind::Race, Line7, Line7));
  ASSERT_EQ(O.Findings.size(), 4u);
  EXPECT_EQ(O.Findings[2].Where, Line9);
  EXPECT_EQ(O.Findings[3].Count, 1u);
}

TEST(FindingTest, FormatOfARace) {
  Finding F = found(FindingKind::Race, Line9, Line7);
  F.Thread = 3;
  F.OtherThread = 35;
  F.Block = {1, 0, 2};
  F.Address = 12;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: threads of different warps race on s at byte 12, "
            "threads 3 and 35 of block (1,0,2); the other access is at "
            "k.cu:7:3 [race]");
}

TEST(FindingTest, FormatCounts) {
  Finding F = found(FindingKind::WarpMask, Line9);
  F.Count = 4;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: the mask names lanes that do not take part; seen "
            "4 times [warp-mask]");
}

TEST(FindingTest, ManyPlacesAreCounted) {
  constexpr uint32_t NumPlaces = 100000; // A search for each takes minutes.
  Observations Seen;
  for (unsigned Time = 0; Time < 2; ++Time)
    for (uint32_t Line = 1; Line <= NumPlaces; ++Line)
      Seen.add(found(FindingKind::Race, {0, Line, 1}));
  ASSERT_EQ(Seen.Findings.size(), NumPlaces);
  EXPECT_EQ(Seen.Findings.back().Where.Line, NumPlaces);
  EXPECT_EQ(Seen.Findings.back().Count, 2u);
}

TEST(FindingTest, FormatOfAnOffset) {
  Finding F = found(FindingKind::Misaligned, Line9);
  F.Address = DeviceMemory::FirstAddress + 2;
  F.Offset = 2;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: the address is no multiple of the size of the "
            "access at byte 2 of s [misaligned]");
  F = found(FindingKind::UseAfterFree, Line9);
  F.Offset = -4;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: s is accessed after it was freed at byte -4 "
            "[use-after-free]");
}

TEST(FindingTest, FormatOfAPlaceOutsideOfAnArray) {
  Finding F = found(FindingKind::SharedOutOfBounds, Line9);
  F.Thread = 0;
  F.Address = 22440;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: shared memory is accessed outside of s at byte "
            "22440, thread 0 of block (0,0,0) [shared-out-of-bounds]");
  for (uint64_t Before : {uint64_t(uint32_t(-4)), uint64_t(-4)}) {
    F.Address = Before;
    EXPECT_EQ(format(F, emptyProgram()),
              "k.cu:9:5: error: shared memory is accessed outside of s at byte "
              "-4, thread 0 of block (0,0,0) [shared-out-of-bounds]");
  }
}

TEST(FindingTest, FormatOfAnAddress) {
  Finding F = found(FindingKind::GlobalOutOfBounds, Line9);
  F.Address = 16;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: memory is accessed outside of any allocation "
            "(nearest: s) at address 0x10 [global-out-of-bounds]");
  F = found(FindingKind::Misaligned, Line9);
  F.Address = DeviceMemory::FirstAddress + 2;
  EXPECT_EQ(format(F, emptyProgram()),
            "k.cu:9:5: error: the address is no multiple of the size of the "
            "access at address 0x1000000000002 [misaligned]");
}

TEST(FindingTest, FormatWithoutPlaceAndObject) {
  Finding F = found(FindingKind::Uninitialised, {});
  F.Object.clear();
  EXPECT_EQ(format(F, emptyProgram()), "?: error: memory is read before it is "
                                       "written at byte 0 [uninitialised]");
}

// Costs.

TEST(CostTest, Totals) {
  Observations O;
  O.Shared[{Line7, AccessOp::Load, 4}] = {1, 10, 2};
  O.Shared[{Line7, AccessOp::Store, 4}] = {3, 20, 4};
  O.Shared[{Line9, AccessOp::Load, 8}] = {5, 30, 6};
  EXPECT_EQ(totalOf(O.Shared).Requests, 9u);
  EXPECT_EQ(totalOf(O.Shared).Units, 60u);
  EXPECT_EQ(totalOf(O.Shared).Bound, 12u);
  EXPECT_EQ(totalOf(O.Shared, AccessOp::Load).Units, 40u);
  EXPECT_EQ(totalOf(O.Shared, AccessOp::Store).Bound, 4u);
  EXPECT_EQ(totalOf(O.Shared, AccessOp::Atomic).Requests, 0u);
}

static std::string table(const Observations &O) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printCosts(O.Shared, emptyProgram(), "wavefronts", OS);
  return Text;
}

TEST(CostTest, TheTableIsByLineDearestFirst) {
  Observations O;
  O.Shared[{Line7, AccessOp::Store, 4}] = {100, 100, 100};
  O.Shared[{{0, 7, 20}, AccessOp::Load, 4}] = {1, 1, 1};
  O.Shared[{Line9, AccessOp::Load, 4}] = {1000, 32000, 1000};
  O.Shared[{{0, 9, 30}, AccessOp::Load, 8}] = {10, 20, 20};
  EXPECT_EQ(table(O),
            "                   requests   wavefronts        bound   ratio\n"
            "k.cu:9  load           1010        32020         1020   31.39\n"
            "k.cu:7  store           100          100          100    1.00\n"
            "k.cu:7  load              1            1            1    1.00\n"
            "total                  1111        32121         1121   28.65\n");
}

TEST(CostTest, RowsOfOneCostAreInTheOrderOfTheSource) {
  Observations O;
  O.Shared[{Line9, AccessOp::Atomic, 4}] = {1, 1, 0};
  O.Shared[{Line7, AccessOp::Atomic, 4}] = {1, 1, 1};
  std::string Text = table(O);
  EXPECT_LT(Text.find("k.cu:7"), Text.find("k.cu:9"));
  EXPECT_NE(Text.find("0       -\n"), std::string::npos) << "no ratio to 0";
}
