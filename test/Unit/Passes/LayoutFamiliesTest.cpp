// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which family the pass chooses, what keeps it from one, and what the user may
/// ask for.
//===----------------------------------------------------------------------===//

#include "DecidedLayout.h"

using namespace cudaopt;

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

// Columns and nothing else: the transposed tile needs no memory.
TEST(LayoutFamiliesTest, PermutedDimensions) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 36}, 4);
  H.read(Tile, {H.threadX(), H.mul(H.beginLoop(9), 4)});
  LayoutDecision D = decide(H);
  ASSERT_EQ(D.New.Kind, Family::Permute);
  EXPECT_EQ(D.New.Order, (llvm::SmallVector<uint8_t, 4>{1, 0}));
  EXPECT_EQ(D.New.Padding, 0u);
  expectCost(D, 9 * 4, 9, 9);
  EXPECT_EQ(D.Proof, Certificate::BoundReached);
}

// Exchanges of a sorting network at distances 1, 2, 4, ...: one bit that goes
// to all others.
TEST(LayoutFamiliesTest, SortingNetwork) {
  HandMadeKernel H({512, 1, 1});
  ArrayId Keys = H.array({1024}, 4);
  ValueId X = H.threadX();
  for (int64_t Stride = 512; Stride; Stride /= 2) {
    ValueId Position = H.sub(H.mul(X, 2), H.rem(X, Stride));
    H.read(Keys, {Position});
    H.write(Keys, {H.add(Position, H.constant(Stride))});
  }
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.New, makeXor({0, 5, 1, false, 31}));
  EXPECT_EQ(D.Cost.After, D.Cost.Bound);
  EXPECT_EQ(decide(H, LayoutChoice::Linear).New, D.New);
}

// The exchange of an FFT with 512 points: neither longer planes nor an xor
// reach the bound alone.
TEST(LayoutFamiliesTest, XorInPaddedPlanes) {
  HandMadeKernel H({64, 1, 1});
  ArrayId Cube = H.array({8, 8, 8}, 4);
  ValueId X = H.threadX(), I = H.beginLoop(8);
  H.write(Cube, {I, H.div(X, 8), H.rem(X, 8)});
  H.read(Cube, {H.rem(X, 8), I, H.div(X, 8)});
  H.endLoop();
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.New.Kind, Family::Xor);
  EXPECT_EQ(D.New.RowPadding, 1u);
  EXPECT_EQ(D.New.Terms.size(), 1u);
  EXPECT_EQ(D.Cost.After, D.Cost.Bound);
  EXPECT_EQ(D.Proof, Certificate::BoundReached);
  // Asked for, each family comes alone.
  EXPECT_EQ(decide(H, LayoutChoice::Linear).New.RowPadding, 0u);
  EXPECT_EQ(decide(H, LayoutChoice::Pad).New.Kind, Family::Pad);
}

// One field a time: the fields become arrays.
TEST(LayoutFamiliesTest, ArrayOfStructs) {
  HandMadeKernel H({64, 1, 1});
  ArrayId Bodies = H.array({64}, 32);
  ArrayShape &Shape = H.instance().Shapes[Bodies];
  for (unsigned I = 0; I < 8; ++I)
    Shape.Fields.push_back({"f" + std::to_string(I), 4 * I, 4, 4});
  for (unsigned I = 0; I < 8; I += 3) {
    Access &A = H.read(Bodies, {H.threadX()});
    A.Offset = 4 * I;
    A.Width = 4;
  }
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.New.Kind, Family::Fields);
  expectCost(D, 3 * 2 * 8, 3 * 2, 3 * 2);

  H.K.Arrays[0].FieldsRefusal = Refusal{Reason::WholeElement, "", {}};
  EXPECT_NE(decide(H).New.Kind, Family::Fields);
}

/// Copies a 32 x 32 tile in blocks of any shape, in rows, and reads columns.
static void addTiledTranspose(HandMadeKernel &H) {
  const auto &Threads = H.instance().Block.Threads;
  ValueId J = H.beginLoop(32 / Threads[0]), I = H.beginLoop(32 / Threads[1]);
  ValueId X = H.add(H.threadX(), H.mul(J, Threads[0]));
  ValueId Y = H.add(H.threadY(), H.mul(I, Threads[1]));
  H.write(0, {Y, X});
  H.read(0, {X, Y});
  H.endLoop();
  H.endLoop();
}

/// The same for three shapes of the block, one of which is true.
static void addAlternatives(HandMadeKernel &H) {
  ArrayId Tile = H.array({32, 32}, 4);
  addTiledTranspose(H);
  for (HandMadeKernel::Int3 Threads :
       {HandMadeKernel::Int3{16, 16, 1}, HandMadeKernel::Int3{8, 32, 1}}) {
    H.addInstance(Threads);
    H.shape(Tile, {32, 32}, 4);
    addTiledTranspose(H);
  }
  for (auto &I : H.K.Instances) {
    I->Block.Origin = ShapeOrigin::Assumed;
    for (Loop &L : I->Loops)
      L.MayUnroll = false;
  }
}

// No padding serves blocks of 32 x 8, 16 x 16 and 8 x 32 threads; the reversed
// bits of the row do.
TEST(LayoutFamiliesTest, UnknownBlock) {
  HandMadeKernel H({32, 8, 1});
  addAlternatives(H);
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.New, makeXor({1, 0, 5, true}));
  EXPECT_EQ(D.Cost.After, D.Cost.Bound);
  EXPECT_EQ(D.Proof, Certificate::BoundReached);
}

// Padding would be better for one shape, and worse for another.
TEST(LayoutFamiliesTest, WorseForSomeShape) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({16, 16}, 4);
  H.read(Tile, {H.rem(H.threadX(), 16), H.constant(0)});
  H.addInstance({16, 16, 1});
  H.shape(Tile, {16, 16}, 4);
  H.read(Tile, {H.threadY(), H.threadX()});
  for (auto &I : H.K.Instances)
    I->Block.Origin = ShapeOrigin::Assumed;
  H.K.Arrays[0].SubscriptRefusal = Refusal{Reason::InMacro, "AT", {}};
  LayoutDecision D = decide(H, LayoutChoice::Auto);
  EXPECT_FALSE(D.isRewritten());
  H.K.Instances.pop_back();
  EXPECT_TRUE(decide(H).isRewritten());
}

//===----------------------------------------------------------------------===//
// Chunks and rows
//===----------------------------------------------------------------------===//

// Four floats through a cast stay together.
TEST(LayoutFamiliesTest, ChunksAreKept) {
  HandMadeKernel H({16, 16, 1});
  ArrayId Tile = H.array({8, 128}, 4);
  Access &A = H.read(Tile, {H.beginLoop(8), H.mul(H.threadX(), 8)});
  A.Width = 16;
  A.Chunk = 4;
  LayoutDecision D = decide(H);
  ASSERT_TRUE(D.isRewritten());
  EXPECT_GE(D.New.keptChunk(H.instance().Shapes[Tile]), 4u);
  EXPECT_EQ(D.Cost.After, D.Cost.Bound);
}

// Only rows that are no multiple of four floats apart would help.
TEST(LayoutFamiliesTest, ChunkedAccess) {
  HandMadeKernel H({32, 1, 1});
  addAntidiagonal(H);
  H.read(0, {H.constant(0), H.constant(0)}).Chunk = 4;
  EXPECT_EQ(decide(H).Refused, Reason::ChunkedAccess);
  EXPECT_EQ(decide(H).Refused->Detail, "4");
}

// A merged load is worth more than a pitch that conflicts less in theory.
TEST(LayoutFamiliesTest, MergedLoadsAreKept) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 32}, 4);
  H.read(Tile, {H.threadX(), H.beginLoop(32)});
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.New, makePad(4));
  expectCost(D, 8 * 32, 32, 32);
}

// A pointer to a row: rows stay as they are.
TEST(LayoutFamiliesTest, RowPointer) {
  HandMadeKernel H({16, 16, 1});
  addTranspose(H, 16, 16, 4);
  EXPECT_EQ(decide(H).New.Kind, Family::Xor);
  H.instance().Accesses[0].IsThroughRowPointer = true;
  EXPECT_EQ(decide(H).New, makePad(2));
}

//===----------------------------------------------------------------------===//
// Wishes
//===----------------------------------------------------------------------===//

TEST(LayoutFamiliesTest, LayoutsAsAsked) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 4);
  EXPECT_EQ(decide(H, LayoutChoice::Pad).New, makePad(1));
  EXPECT_EQ(decide(H, LayoutChoice::Xor).New, makeXor({1, 0, 5}));
  EXPECT_EQ(decide(H, LayoutChoice::Linear).New, makeXor({1, 0, 5}));
  EXPECT_EQ(decide(H, LayoutChoice::Keep).Refused, Reason::AskedToKeep);
  // What the declaration says counts more.
  H.K.Arrays[0].WantedLayout = "xor";
  EXPECT_EQ(decide(H, LayoutChoice::Keep).New, makeXor({1, 0, 5}));
  H.K.Arrays[0].WantedLayout = "hilbert";
  EXPECT_EQ(decide(H).Refused, Reason::NoSuchLayout);
  EXPECT_EQ(decide(H).Refused->Detail, "hilbert");
}

// Rows of 33 have no xor.
TEST(LayoutFamiliesTest, NoSuchLayout) {
  HandMadeKernel H({32, 1, 1});
  addAntidiagonal(H);
  LayoutDecision D = decide(H, LayoutChoice::Xor);
  EXPECT_EQ(D.Refused, Reason::NoSuchLayout);
  EXPECT_EQ(D.Refused->Detail, "xor");
}

// Document 000: columns of 52 x 52 doubles, in banks of 8 bytes.
TEST(LayoutFamiliesTest, TransformOfDocument000) {
  HandMadeKernel H({32, 1, 1});
  ArrayId AS = H.array({2704}, 8);
  LinearSplit Rows{};
  Rows.Pitch = 52;
  ValueId K = H.beginLoop(52);
  H.instance().Loops.back().MayUnroll = false;
  H.read(AS, {H.add(H.mul(H.threadX(), 52), K)}).Split = Rows;
  const Plan P = planOf(H, {LayoutChoice::Transform}, PlanRules(), "sm_35");
  const LayoutDecision &D = P.Layouts.front().second;
  ASSERT_EQ(D.New.Kind, Family::Transform);
  EXPECT_EQ(D.New.T, (decltype(D.New.T){{{2, 1}, {0, 1}}}));
  EXPECT_EQ(D.New.storage(H.instance().Shapes[AS]), 2806u);
  expectCost(D, 52 * 4, 52, 52);
}
