// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Layouts are injective, need the memory that they say, and have names.
//===----------------------------------------------------------------------===//

#include "cudaopt/Plan/Plan.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace cudaopt;
using Family = Layout::Family;
using Matrix = std::array<std::array<unsigned, 2>, 2>;

static ArrayShape shape(llvm::ArrayRef<uint64_t> Extents,
                        unsigned ElementSize = 4) {
  ArrayShape Shape;
  Shape.Extents.assign(Extents.begin(), Extents.end());
  Shape.ElementSize = ElementSize;
  return Shape;
}

static Layout layout(Family Kind, uint64_t Pitch = 0) {
  Layout L;
  L.Kind = Kind;
  L.Pitch = Pitch;
  return L;
}

static Layout pad(unsigned Padding, uint64_t Pitch = 0,
                  unsigned RowPadding = 0) {
  Layout L = layout(Family::Pad, Pitch);
  L.Padding = Padding;
  L.RowPadding = RowPadding;
  return L;
}

static Layout swizzle(llvm::ArrayRef<BitTerm> Terms, uint64_t Pitch = 0) {
  Layout L = layout(Family::Xor, Pitch);
  L.Terms.assign(Terms.begin(), Terms.end());
  return L;
}

static Layout longer(Layout L, unsigned Padding, unsigned RowPadding = 0) {
  L.Padding = Padding;
  L.RowPadding = RowPadding;
  return L;
}

static BitTerm rowTerm(unsigned Shift, unsigned Bits, unsigned Factor = 1) {
  return {1, uint8_t(Shift), uint8_t(Bits), false, Factor};
}

static Layout permute(llvm::ArrayRef<uint8_t> Order, unsigned Padding = 0,
                      uint64_t Pitch = 0) {
  Layout L = layout(Family::Permute, Pitch);
  L.Order.assign(Order.begin(), Order.end());
  L.Padding = Padding;
  return L;
}

static Layout rotate(unsigned Step, uint64_t Pitch = 0) {
  Layout L = layout(Family::Rotate, Pitch);
  L.Step = Step;
  return L;
}

static Layout transform(Matrix T, uint64_t Pitch = 0) {
  Layout L = layout(Family::Transform, Pitch);
  L.T = T;
  return L;
}

/// Structs of a char, a double and three floats.
static ArrayShape structs(uint64_t Count) {
  ArrayShape Shape = shape({Count}, 32);
  Shape.Fields = {{"a", 0, 1, 1}, {"b", 8, 8, 8}, {"c", 16, 12, 4}};
  return Shape;
}

/// True if every element has its own place, inside the storage.
static bool isInjective(const Layout &L, const ArrayShape &Shape) {
  std::vector<bool> IsTaken(L.storage(Shape));
  for (uint64_t I = 0; I != Shape.numElements(); ++I) {
    uint64_t Place = L.apply(I, Shape);
    if (Place >= IsTaken.size() || IsTaken[Place])
      return false;
    IsTaken[Place] = true;
  }
  return true;
}

static void expectFits(const Layout &L, const ArrayShape &Shape) {
  EXPECT_EQ(L.findMisfit(Shape), nullptr) << L.text(Shape);
  EXPECT_TRUE(isInjective(L, Shape)) << L.text(Shape);
}

static void expectMisfit(const Layout &L, const ArrayShape &Shape) {
  EXPECT_NE(L.findMisfit(Shape), nullptr) << L.text(Shape);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST(LayoutTest, PadsAreInjective) {
  std::mt19937 Random(1);
  for (int Round = 0; Round != 100; ++Round) {
    uint64_t Rows = 1 + Random() % 40, Pitch = 1 + Random() % 70;
    unsigned Padding = 1 + Random() % 9;
    expectFits(pad(Padding), shape({Rows, Pitch}));
    expectFits(pad(Padding, 0, Random() % 4), shape({2, Rows, Pitch}));
    expectFits(pad(Padding, Pitch), shape({Rows * Pitch + 1}));
  }
}

// The subscripts say where: plane 1, row 2, column 3 of [10][10][10].
TEST(LayoutTest, APlaneIsPaddedByRows) {
  EXPECT_EQ(pad(2, 0, 1).apply(123, shape({10, 10, 10})),
            1u * 11 * 12 + 2 * 12 + 3);
  EXPECT_EQ(pad(2, 0, 1).apply(1123, shape({2, 10, 10, 10})),
            (10u + 1) * 11 * 12 + 2 * 12 + 3);
}

TEST(LayoutTest, XorsAreInjective) {
  std::mt19937 Random(2);
  for (int Round = 0; Round != 100; ++Round) {
    unsigned Bits = 1 + Random() % 5, Unit = Random() % 3, Shift = Random() % 4;
    uint64_t Rows = 1 + Random() % 40;
    uint64_t Pitch = (1 + Random() % 3) << (Bits + Unit);
    BitTerm Row = rowTerm(Shift, Bits, 1 << Unit);
    BitTerm Column = {0, uint8_t(Bits + Unit + Shift), 1, false, 1u << Unit};
    Row.IsReversed = Round % 2;
    expectFits(swizzle({Row, Column}), shape({Rows, Pitch}));
    expectFits(swizzle({Row, Column}, Pitch), shape({Rows * Pitch}));
  }
}

// As they are xored, then as rows are padded.
TEST(LayoutTest, XorsInLongerRowsAreInjective) {
  Layout Planes = longer(swizzle({{2, 2, 1, false, 4}}), 3, 1);
  expectFits(Planes, shape({8, 8, 8}));
  EXPECT_EQ(Planes.apply(5 * 64 + 2 * 8 + 3, shape({8, 8, 8})),
            (5u * 9 + 2) * 11 + (3 ^ 4));
  EXPECT_EQ(Planes.storage(shape({8, 8, 8})), 8u * 9 * 11);
  EXPECT_EQ(longer(swizzle({rowTerm(0, 2, 4)}), 6).keptChunk(shape({8, 32})),
            2u);
  // The last row is not whole.
  Layout Flat = longer(swizzle({rowTerm(0, 2)}, 16), 2);
  expectFits(Flat, shape({200}));
  EXPECT_EQ(Flat.storage(shape({200})), 200u + 12 * 2);
}

// Columns may move into the padding, except of a flat array: its last row has
// none.
TEST(LayoutTest, AnXorMayNeedThePadding) {
  expectFits(longer(swizzle({rowTerm(0, 1)}), 1), shape({17, 17}));
  expectMisfit(longer(swizzle({rowTerm(0, 1)}, 17), 1), shape({289}));
  expectMisfit(longer(swizzle({rowTerm(0, 2)}), 1), shape({17, 17}));
  expectMisfit(longer(swizzle({{0, 5, 1, false, 1}}), 1), shape({64}));
  expectMisfit(longer(swizzle({rowTerm(0, 1)}), 0, 1), shape({8, 8}));
}

// Rows of 52 and 17 x 17 are no powers of two; 4 divides 52, nothing 17.
TEST(LayoutTest, OddRowsTakeAsManyBitsAsDivideThem) {
  expectFits(swizzle({rowTerm(2, 2)}), shape({52, 52}));
  expectFits(swizzle({rowTerm(2, 2)}, 52), shape({2704}));
  expectMisfit(swizzle({rowTerm(2, 3)}), shape({52, 52}));
  expectMisfit(swizzle({rowTerm(0, 1)}), shape({17, 17}));
  EXPECT_EQ(swizzle({rowTerm(2, 2)}).apply(5 * 52 + 7, shape({52, 52})),
            5u * 52 + (7 ^ 1));
}

// bits 5 and 6 of an array of one row go to bits 0, 2 and 1, 3, 4.
TEST(LayoutTest, ARowMayBeXoredWithItsOwnHighBits) {
  Layout L = swizzle({{0, 5, 1, false, 0b00101}, {0, 6, 1, false, 0b11010}});
  expectFits(L, shape({1024}));
  EXPECT_EQ(L.apply(96, shape({1024})), 96u ^ 31);
  EXPECT_EQ(L.changedBits(), 5u);
}

TEST(LayoutTest, ATermMayReadThePlane) {
  Layout L = swizzle({{2, 0, 1, false, 1}});
  expectFits(L, shape({10, 10, 10}));
  EXPECT_EQ(L.apply(123, shape({10, 10, 10})), 122u);
  EXPECT_EQ(L.apply(223, shape({10, 10, 10})), 223u);
}

TEST(LayoutTest, ATermMayBeReversed) {
  BitTerm Term = {1, 1, 5, true, 2};
  EXPECT_EQ(Term.apply(0b000010), 0b100000u);
  EXPECT_EQ(Term.apply(0b001110), 0b111000u);
}

TEST(LayoutTest, PermutationsAreInjective) {
  for (unsigned Padding : {0, 1, 3}) {
    expectFits(permute({1, 0}, Padding), shape({52, 52}));
    expectFits(permute({1, 0}, Padding), shape({32, 17}));
    expectFits(permute({}, Padding, 52), shape({2704}));
    expectFits(permute({}, Padding, 52), shape({2705}));
    for (auto Order : {std::array<uint8_t, 3>{0, 2, 1},
                       {1, 0, 2},
                       {1, 2, 0},
                       {2, 0, 1},
                       {2, 1, 0}})
      expectFits(permute(Order, Padding), shape({4, 10, 7}));
  }
}

// { A[p, r, c] -> A'[c, p, r] }
TEST(LayoutTest, APermutationNamesTheOldDimensions) {
  EXPECT_EQ(
      permute({2, 0, 1}, 1).apply((1 * 10 + 2) * 7 + 3, shape({4, 10, 7})),
      (3u * 4 + 1) * 11 + 2);
  EXPECT_EQ(permute({}, 1, 32).apply(2 * 32 + 5, shape({128})), 5u * 5 + 2);
}

TEST(LayoutTest, RotationsAreInjective) {
  for (unsigned Step : {1, 4, 16, 161}) {
    expectFits(rotate(Step), shape({17, 17}));
    expectFits(rotate(Step), shape({10, 10, 10}));
    expectFits(rotate(Step, 160), shape({640}));
  }
  EXPECT_EQ(rotate(16).apply(160 + 150, shape({4, 160})), 160u + 6);
}

// A row that is not whole would be turned out of the array.
TEST(LayoutTest, RowsThatAreNotWholeCannotBeRotated) {
  expectMisfit(rotate(1, 52), shape({2703}));
  EXPECT_FALSE(isInjective(rotate(1, 52), shape({2703})));
}

TEST(LayoutTest, TransformsAreInjectiveExactlyIfTheyFit) {
  unsigned NumFits = 0;
  for (unsigned A = 0; A != 4; ++A)
    for (unsigned B = 0; B != 4; ++B)
      for (unsigned C = 0; C != 3; ++C)
        for (unsigned D = 0; D != 3; ++D)
          for (auto Shape : {shape({5, 4}), shape({6, 6}), shape({1, 7})}) {
            Layout L = transform({{{A, B}, {C, D}}});
            bool Fits = L.findMisfit(Shape) == nullptr;
            EXPECT_EQ(Fits, isInjective(L, Shape)) << L.text(Shape);
            NumFits += Fits;
          }
  EXPECT_GT(NumFits, 100u);
}

TEST(LayoutTest, FieldsAreWholeAndAligned) {
  Layout L = layout(Family::Fields);
  ArrayShape Shape = structs(5);
  EXPECT_EQ(L.findMisfit(Shape), nullptr);
  // struct { char a[5]; double b[5]; Float3 c[5]; }
  EXPECT_EQ(L.address(4, 0, Shape), 4u);
  EXPECT_EQ(L.address(0, 8, Shape), 8u);
  EXPECT_EQ(L.address(4, 15, Shape), 8u + 4 * 8 + 7);
  EXPECT_EQ(L.address(1, 20, Shape), 48u + 12 + 4);
  EXPECT_EQ(L.bytes(Shape), 112u);
}

TEST(LayoutTest, AnElementKeepsItsBytes) {
  EXPECT_EQ(pad(1).address(33, 3, shape({32, 32})), 34u * 4 + 3);
  EXPECT_EQ(pad(1).bytes(shape({32, 32})), 32u * 33 * 4);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

// An array of rows is padded to its end, a flat one up to its last element.
TEST(LayoutTest, StorageEndsWhereTheTextSays) {
  EXPECT_EQ(pad(1).storage(shape({32, 32})), 32u * 33);
  EXPECT_EQ(pad(2).storage(shape({2, 3, 4})), 2u * 3 * 6);
  EXPECT_EQ(pad(2, 0, 1).storage(shape({2, 3, 4})), 2u * 4 * 6);
  EXPECT_EQ(pad(1, 32).storage(shape({256})), 256u + 7);
  EXPECT_EQ(pad(1, 32).storage(shape({257})), 257u + 8);
  EXPECT_EQ(permute({1, 0}, 1).storage(shape({32, 64})), 64u * 33);
  EXPECT_EQ(permute({}, 1, 32).storage(shape({256})), 32u * 9);
  EXPECT_EQ(swizzle({rowTerm(0, 5)}).storage(shape({32, 32})), 1024u);
  EXPECT_EQ(rotate(1).storage(shape({17, 17})), 289u);
  EXPECT_EQ(Layout().storage(shape({256})), 256u);
}

// Document 000 stores its 52 x 52 matrix in 2805 elements. But the last one,
// (51, 51), lies at 2 * 51 + 51 + 52 * 51 = 2805, so that there are 2806.
TEST(LayoutTest, TheTransformOfDocument000NeedsOneElementMore) {
  Layout L = transform({{{2, 1}, {0, 1}}});
  expectFits(L, shape({52, 52}));
  EXPECT_EQ(L.apply(2703, shape({52, 52})), 2805u);
  EXPECT_EQ(L.storage(shape({52, 52})), 2806u);
  EXPECT_EQ(transform(L.T, 52).storage(shape({2704})), 2806u);
}

// The last element of a row that is not whole is not the one that lies last.
TEST(LayoutTest, ATransformMayStoreTheLastElementBeforeOthers) {
  Layout L = transform({{{20, 1}, {0, 0}}}, 10);
  expectFits(L, shape({41}));
  EXPECT_EQ(L.storage(shape({41})), 9u * 20 + 3 + 1);
}

TEST(LayoutTest, AChunkIsKeptIfTheLayoutMovesItAsAWhole) {
  EXPECT_EQ(Layout().keptChunk(shape({17, 17})), 16u);
  EXPECT_EQ(pad(4).keptChunk(shape({32, 32})), 4u);
  EXPECT_EQ(pad(4).keptChunk(shape({32, 34})), 2u);
  EXPECT_EQ(pad(4, 0, 1).keptChunk(shape({2, 3, 8})), 4u);
  EXPECT_EQ(pad(32).keptChunk(shape({32, 32})), 16u);
  EXPECT_EQ(swizzle({rowTerm(0, 2, 4)}).keptChunk(shape({32, 32})), 4u);
  EXPECT_EQ(
      swizzle({rowTerm(0, 1, 6), rowTerm(0, 2, 4)}).keptChunk(shape({32, 32})),
      2u);
  EXPECT_EQ(permute({1, 0}).keptChunk(shape({32, 32})), 1u);
  EXPECT_EQ(permute({1, 0, 2}).keptChunk(shape({4, 4, 8})), 8u);
  EXPECT_EQ(permute({}, 0, 32).keptChunk(shape({1024})), 1u);
  EXPECT_EQ(rotate(12).keptChunk(shape({4, 160})), 4u);
  EXPECT_EQ(layout(Family::Fields).keptChunk(structs(8)), 1u);
  EXPECT_EQ(transform({{{2, 1}, {0, 1}}}).keptChunk(shape({52, 52})), 1u);
  EXPECT_EQ(transform({{{1, 2}, {0, 1}}}).keptChunk(shape({52, 52})), 2u);
}

// What keptChunk promises, by trying.
TEST(LayoutTest, KeptChunksStayTogether) {
  for (const Layout &L : {pad(4), swizzle({rowTerm(0, 2, 8)}), rotate(8),
                          transform({{{1, 4}, {0, 1}}})})
    for (uint64_t Columns : {32, 160}) {
      ArrayShape Shape = shape({8, Columns});
      const unsigned Chunk = L.keptChunk(Shape);
      ASSERT_GE(Chunk, 4u);
      for (uint64_t I = 0; I != Shape.numElements(); ++I)
        EXPECT_EQ(L.apply(I, Shape),
                  L.apply(I / Chunk * Chunk, Shape) / Chunk * Chunk +
                      I % Chunk);
    }
}

//===----------------------------------------------------------------------===//
// Misfits
//===----------------------------------------------------------------------===//

TEST(LayoutTest, TermsThatAreNoTermsDoNotFit) {
  ArrayShape Square = shape({32, 32});
  expectFits(swizzle({rowTerm(0, 5)}), Square);
  expectMisfit(swizzle({rowTerm(0, 6)}), Square);
  expectMisfit(swizzle({rowTerm(0, 0)}), Square);
  expectMisfit(swizzle({rowTerm(0, 17)}), shape({2, 1 << 17}));
  expectMisfit(swizzle({rowTerm(32, 5)}), Square);
  expectMisfit(swizzle({rowTerm(0, 2, 3)}), Square);
  expectMisfit(swizzle({rowTerm(0, 1, 0)}), Square);
  expectFits(swizzle({rowTerm(0, 1, 31)}), Square);
  expectMisfit(swizzle({{2, 0, 1, false, 1}}), Square);
  expectMisfit(swizzle({rowTerm(0, 1)}), shape({32}));
  expectMisfit(swizzle({rowTerm(0, 5)}, 32), shape({1000}));
}

TEST(LayoutTest, ATermOfTheColumnReadsNoChangedBit) {
  expectFits(swizzle({{0, 2, 1, false, 3}}), shape({4, 8}));
  expectMisfit(swizzle({{0, 1, 1, false, 3}}), shape({4, 8}));
  EXPECT_FALSE(isInjective(swizzle({{0, 1, 1, false, 3}}), shape({4, 8})));
  expectMisfit(swizzle({{0, 2, 1, false, 3}, rowTerm(0, 1, 4)}), shape({4, 8}));
}

TEST(LayoutTest, LayoutsOfOtherShapesDoNotFit) {
  expectMisfit(pad(1), shape({64}));
  expectMisfit(pad(1, 0, 1), shape({8, 8}));
  expectMisfit(pad(1), shape({8, 8}, 0));
  expectMisfit(pad(1), shape({8, 0}));
  expectMisfit(rotate(1), shape({64}));
  expectMisfit(transform({{{2, 1}, {0, 1}}}), shape({4, 4, 4}));
  EXPECT_NE(permute({}).findMisfit(shape({64})), nullptr);
  EXPECT_NE(permute({1, 1}).findMisfit(shape({8, 8})), nullptr);
  EXPECT_NE(permute({1, 0, 2}).findMisfit(shape({8, 8})), nullptr);
  EXPECT_NE(permute({0, 1}).findMisfit(shape({8, 8})), nullptr);
}

TEST(LayoutTest, OnlyPlainStructsHaveFields) {
  Layout L = layout(Family::Fields);
  expectMisfit(L, shape({64}));
  ArrayShape Overlapping = structs(4);
  Overlapping.Fields[2].Offset = 12;
  expectMisfit(L, Overlapping);
  ArrayShape Odd = structs(4);
  Odd.Fields[2].Size = 10;
  expectMisfit(L, Odd);
  ArrayShape Outside = structs(4);
  Outside.Fields[2].Offset = 24;
  expectMisfit(L, Outside);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

TEST(LayoutTest, TextNamesTheFamily) {
  ArrayShape Square = shape({32, 32});
  EXPECT_EQ(Layout().text(Square), "[32][32]");
  EXPECT_EQ(pad(1).text(Square), "[32][33]");
  EXPECT_EQ(pad(1, 0, 2).text(shape({10, 10, 10})), "[10][12][11]");
  EXPECT_EQ(pad(1, 32).text(shape({256})), "[263] pitch 33");
  EXPECT_EQ(permute({1, 0}).text(shape({32, 64})), "[32][64] transposed");
  EXPECT_EQ(permute({1, 0}, 1).text(shape({32, 64})),
            "[32][64] transposed, pitch 33");
  EXPECT_EQ(permute({}, 1, 32).text(shape({256})),
            "[256] pitch 32, transposed, pitch 9");
  EXPECT_EQ(permute({2, 0, 1}).text(shape({4, 10, 7})),
            "[4][10][7] dimensions 2 0 1");
  EXPECT_EQ(rotate(4).text(shape({4, 160})), "[4][160] (c + 4 * r) % 160");
  EXPECT_EQ(rotate(1, 160).text(shape({640})),
            "[640] pitch 160, (c + r) % 160");
  EXPECT_EQ(layout(Family::Fields).text(structs(64)), "[64] struct of arrays");
  EXPECT_EQ(transform({{{2, 1}, {0, 1}}}).text(shape({52, 52})),
            "[2806] T = [[2,1],[0,1]]");
}

TEST(LayoutTest, TextLeavesOutWhatATermDoesNotNeed) {
  ArrayShape Square = shape({32, 32});
  EXPECT_EQ(swizzle({rowTerm(0, 5)}).text(Square), "[32][32] c ^ r");
  EXPECT_EQ(swizzle({rowTerm(0, 2)}).text(Square), "[32][32] c ^ (r & 3)");
  EXPECT_EQ(swizzle({rowTerm(2, 2)}).text(shape({52, 52})),
            "[52][52] c ^ (r >> 2 & 3)");
  EXPECT_EQ(swizzle({rowTerm(3, 2, 4)}).text(Square),
            "[32][32] c ^ ((r >> 3) << 2)");
  EXPECT_EQ(swizzle({rowTerm(0, 2, 4)}, 16).text(shape({256})),
            "[256] pitch 16, c ^ ((r & 3) << 2)");
  EXPECT_EQ(swizzle({rowTerm(2, 2)}, 52).text(shape({2704})),
            "[2704] pitch 52, c ^ (r >> 2 & 3)");
  EXPECT_EQ(swizzle({{0, 5, 5, false, 1}}).text(shape({2048})),
            "[2048] i ^ (i >> 5 & 31)");
  EXPECT_EQ(swizzle({{0, 5, 5, false, 1}}).text(shape({1024})),
            "[1024] i ^ (i >> 5)");
}

TEST(LayoutTest, TextShowsSpreadAndReversedBits) {
  EXPECT_EQ(swizzle({{0, 5, 1, false, 31}}).text(shape({1024})),
            "[1024] i ^ (i >> 5 & 1) * 31");
  EXPECT_EQ(swizzle({rowTerm(0, 1, 31)}).text(shape({2, 32})),
            "[2][32] c ^ r * 31");
  EXPECT_EQ(swizzle({{1, 0, 5, true, 1}}).text(shape({32, 32})),
            "[32][32] c ^ (__brev(r) >> 27)");
  EXPECT_EQ(swizzle({{1, 1, 2, true, 4}}).text(shape({32, 32})),
            "[32][32] c ^ ((__brev(r >> 1) >> 30) << 2)");
  EXPECT_EQ(
      swizzle({rowTerm(0, 1), {2, 0, 1, false, 2}}).text(shape({2, 10, 12})),
      "[2][10][12] c ^ (r & 1) ^ (p << 1)");
  EXPECT_EQ(longer(swizzle({{2, 2, 1, false, 4}}), 0, 1).text(shape({8, 8, 8})),
            "[8][9][8] c ^ ((p >> 2) << 2)");
  EXPECT_EQ(longer(swizzle({rowTerm(0, 1)}, 16), 2).text(shape({256})),
            "[286] pitch 18, c ^ (r & 1)");
}

TEST(LayoutTest, ChoicesHaveNames) {
  EXPECT_EQ(parseLayoutChoice("auto"), LayoutChoice::Auto);
  EXPECT_EQ(parseLayoutChoice("pad"), LayoutChoice::Pad);
  EXPECT_EQ(parseLayoutChoice("xor"), LayoutChoice::Xor);
  EXPECT_EQ(parseLayoutChoice("linear"), LayoutChoice::Linear);
  EXPECT_EQ(parseLayoutChoice("T"), LayoutChoice::Transform);
  EXPECT_EQ(parseLayoutChoice("keep"), LayoutChoice::Keep);
  EXPECT_EQ(parseLayoutChoice("t"), std::nullopt);
}

TEST(LayoutTest, PlanPrintsDecisions) {
  Kernel K;
  K.Name = "transpose";
  K.Arrays.resize(4);
  K.Arrays[0].Name = "tile";
  K.Arrays[1].Name = "line";
  K.Arrays[2].Name = "all";
  K.Arrays[3].Name = "some";
  K.Instances.push_back(std::make_unique<KernelInstance>());
  K.Instances[0]->Shapes = {shape({32, 32}), shape({32}), shape({32, 32}),
                            shape({32, 32})};
  Plan P;
  P.Layouts[0].New = pad(1);
  P.Layouts[0].Cost = {544, 64, 64};
  P.Layouts[0].Proof = Certificate::BoundReached;
  P.Layouts[1].Refused = Refusal{Reason::NoConflict, "", {}};
  P.Layouts[2].New = pad(1);
  P.Layouts[2].Cost = {728, 506, 494};
  P.Layouts[2].Proof = Certificate::Exhausted;
  const LayoutDecision Third = P.Layouts[2];
  P.Layouts[3] = Third;
  P.Layouts[3].Proof = Certificate::BestFound;
  P.Layouts[3].IsExact = false;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  P.print(K, OS);
  EXPECT_EQ(Text, "plan transpose\n"
                  "  layout tile [32][32] -> [32][33]: "
                  "wavefronts 544 -> 64, bound 64: bound reached, proved\n"
                  "  keep line: no access conflicts\n"
                  "  layout all [32][32] -> [32][33]: "
                  "wavefronts 728 -> 506, bound 494: exhausted, proved\n"
                  "  layout some [32][32] -> [32][33]: wavefronts 728 -> 506, "
                  "bound 494 (estimated): best found, gap 12, proved\n");
}
