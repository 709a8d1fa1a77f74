// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which layouts the verifier lets pass, and which mistakes in them it finds.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Verify.h"

#include "gtest/gtest.h"

using namespace cudaopt;
using Family = Layout::Family;

static Layout pad(unsigned Padding, uint64_t Pitch = 0) {
  Layout New;
  New.Kind = Layout::Family::Pad;
  New.Padding = Padding;
  New.Pitch = Pitch;
  return New;
}

static Layout swizzle(unsigned RowShift, unsigned Bits, unsigned Unit) {
  Layout New;
  New.Kind = Layout::Family::Xor;
  New.Terms = {{1, uint8_t(RowShift), uint8_t(Bits), false, 1u << Unit}};
  return New;
}

static Layout layout(Layout::Family Kind, uint64_t Pitch = 0) {
  Layout New;
  New.Kind = Kind;
  New.Pitch = Pitch;
  return New;
}

static ArrayShape shape(llvm::ArrayRef<uint64_t> Extents,
                        unsigned ElementSize = 4) {
  ArrayShape Shape;
  Shape.Extents.assign(Extents.begin(), Extents.end());
  Shape.ElementSize = ElementSize;
  return Shape;
}

/// Structs of a char, a double and three floats.
static ArrayShape structs() {
  ArrayShape Shape = shape({17}, 32);
  Shape.Fields = {{"a", 0, 1, 1}, {"b", 8, 8, 8}, {"c", 16, 12, 4}};
  return Shape;
}

static Access access(unsigned Width, unsigned Offset = 0, unsigned Chunk = 1) {
  Access A;
  A.Width = Width;
  A.Offset = Offset;
  A.Chunk = Chunk;
  return A;
}

/// The rule that layout \p New of 'a' violates; empty if none.
static std::string verifyAlone(const Layout &New, const ArrayShape &Shape,
                               llvm::ArrayRef<const Access *> Accesses = {}) {
  return llvm::toString(verifyLayout(New, Shape, Accesses, "a"));
}

TEST(VerifyLayoutTest, BijectionsPass) {
  Layout Rotated = layout(Family::Rotate), Transposed = layout(Family::Permute);
  Rotated.Step = 3;
  Transposed.Order = {1, 0};
  Layout T = layout(Family::Transform);
  T.T = {{{2, 1}, {0, 1}}};
  for (const ArrayShape &Shape : {shape({52, 52}, 8), shape({17, 17}, 12)})
    for (const Layout &New : {pad(1), Rotated, Transposed})
      EXPECT_EQ(verifyAlone(New, Shape), "");
  EXPECT_EQ(verifyAlone(T, shape({52, 52}, 8)), "");
  Transposed.Order = {2, 0, 1};
  Layout Planes = pad(1);
  Planes.RowPadding = 1;
  for (const Layout &New : {Planes, Rotated, Transposed, swizzle(1, 1, 0)})
    EXPECT_EQ(verifyAlone(New, shape({10, 10, 10})), "");
  Rotated.Pitch = T.Pitch = 52;
  Layout Split = layout(Family::Permute, 52), Xor = swizzle(2, 2, 0);
  Split.Padding = 1;
  Xor.Pitch = 52;
  for (const Layout &New : {pad(1, 52), Rotated, T, Split, Xor})
    EXPECT_EQ(verifyAlone(New, shape({2704}, 8)), "");
  EXPECT_EQ(verifyAlone(layout(Family::Fields), structs()), "");
}

// Rows that are longer, and xored.
TEST(VerifyLayoutTest, ProductsAreBijections) {
  auto Longer = [](Layout New, unsigned Padding, unsigned RowPadding = 0,
                   uint64_t Pitch = 0) {
    New.Padding = Padding;
    New.RowPadding = RowPadding;
    New.Pitch = Pitch;
    return New;
  };
  Layout Planes = swizzle(2, 1, 2);
  Planes.Terms[0].From = 2;
  EXPECT_EQ(verifyAlone(Longer(Planes, 3, 1), shape({8, 8, 8})), "");
  EXPECT_EQ(verifyAlone(Longer(swizzle(0, 2, 0), 2, 0, 52), shape({2704}, 8)),
            "");
  // Into the padding, as far as it goes; one bit more leaves the row.
  EXPECT_EQ(verifyAlone(Longer(swizzle(0, 1, 0), 1), shape({17, 17})), "");
  EXPECT_NE(verifyAlone(Longer(swizzle(0, 2, 0), 1), shape({17, 17})), "");
  EXPECT_NE(verifyAlone(Longer(swizzle(0, 2, 0), 2, 0, 17), shape({289})), "");
  // Xored chunks of four columns begin where the row does.
  Access Four = access(16, 0, 4), Row = access(4);
  EXPECT_EQ(verifyAlone(Longer(swizzle(0, 2, 2), 4), shape({32, 32}), {&Four}),
            "");
  EXPECT_NE(verifyAlone(Longer(swizzle(0, 2, 2), 2), shape({32, 32}), {&Four}),
            "");
  Row.IsThroughRowPointer = true;
  EXPECT_NE(verifyAlone(Longer(swizzle(0, 2, 0), 4), shape({32, 32}), {&Row}),
            "");
}

TEST(VerifyLayoutTest, TwoElementsInOnePlaceAreFound) {
  const char *const Rule = "the layout of 'a' stores two elements in byte 4";
  Layout T = layout(Family::Transform);
  T.T = {{{1, 1}, {0, 0}}};
  EXPECT_EQ(verifyAlone(T, shape({17, 17})), Rule);
  // In rows of 17 nine columns to the right is the same as one row down.
  T.T = {{{2, 1}, {0, 1}}};
  EXPECT_EQ(verifyAlone(T, shape({17, 17})),
            "the layout of 'a' stores two elements in byte 72");
  // Bit 0 depends on bit 0: 0 and 1 stay, or both become 0.
  Layout Xor = layout(Family::Xor);
  Xor.Terms = {{0, 1, 1, false, 3}};
  EXPECT_EQ(verifyAlone(Xor, shape({8, 8})), Rule);
  // Rows of 24 cannot take five bits, nor rows of 17 one.
  EXPECT_NE(verifyAlone(swizzle(0, 3, 2), shape({32, 24})), "");
  EXPECT_EQ(verifyAlone(swizzle(2, 3, 0), shape({32, 24})), "");
  EXPECT_NE(verifyAlone(swizzle(0, 1, 0), shape({17, 17})), "");
}

// The last row lacks an element, which others are turned into.
TEST(VerifyLayoutTest, ElementsOutsideTheArrayAreFound) {
  Layout Rotated = layout(Family::Rotate, 52);
  Rotated.Step = 1;
  EXPECT_EQ(verifyAlone(Rotated, shape({103})),
            "the layout of 'a' stores element 102 outside the 412 bytes of the "
            "new array");
}

TEST(VerifyLayoutTest, FormsWithoutMeaningAreFound) {
  Layout Permuted = layout(Family::Permute);
  const char *const Rule = "the layout of 'a' has no order of the dimensions";
  EXPECT_EQ(verifyAlone(Permuted, shape({8, 8})), Rule);
  Permuted.Order = {1, 1};
  EXPECT_EQ(verifyAlone(Permuted, shape({8, 8})), Rule);
  Layout Xor = swizzle(0, 1, 0);
  Xor.Terms[0].From = 2;
  EXPECT_NE(verifyAlone(Xor, shape({8, 8})), "");
  const char *const NoBits =
      "the layout of 'a' has a term that takes bits that no subscript has";
  EXPECT_EQ(verifyAlone(swizzle(64, 5, 0), shape({32, 32})), NoBits);
  EXPECT_EQ(verifyAlone(swizzle(0, 31, 5), shape({32, 32})), NoBits);
  EXPECT_NE(verifyAlone(swizzle(0, 1, 0), shape({64})), "");
  EXPECT_EQ(verifyAlone(pad(1), shape({1u << 31, 1u << 31})),
            "the layout of 'a' is for an array of unlikely size");
  EXPECT_NE(verifyAlone(pad(1u << 31), shape({8, 8})), "");
}

TEST(VerifyLayoutTest, ATornChunkIsFound) {
  Access Four = access(16, 0, 4);
  EXPECT_EQ(verifyAlone(pad(4), shape({32, 32}), {&Four}), "");
  EXPECT_EQ(verifyAlone(swizzle(0, 2, 2), shape({32, 32}), {&Four}), "");
  EXPECT_EQ(verifyAlone(pad(2), shape({32, 32}), {&Four}),
            "the layout of 'a' does not align element 32 to 16 bytes");
  EXPECT_EQ(verifyAlone(swizzle(0, 2, 1), shape({32, 32}), {&Four}),
            "the layout of 'a' tears apart the 16 bytes at byte 0 of element "
            "32");
  EXPECT_NE(verifyAlone(pad(4), shape({32, 34}), {&Four}), "");
}

TEST(VerifyLayoutTest, ARowBehindAPointerMayOnlyBeMovedAsAWhole) {
  Access Row = access(4);
  Row.IsThroughRowPointer = true;
  EXPECT_EQ(verifyAlone(pad(3), shape({32, 32}), {&Row}), "");
  EXPECT_EQ(verifyAlone(swizzle(0, 5, 0), shape({32, 32}), {&Row}),
            "the layout of 'a' changes rows that are reached through pointers");
}

TEST(VerifyLayoutTest, ACopiedRowMovesAsAWholeAndByItsAlignment) {
  Access Copy = access(4);
  Copy.Run = RowRun{nullptr, 0, {}, 16};
  EXPECT_EQ(verifyAlone(pad(4), shape({32, 32}), {&Copy}), "");
  EXPECT_EQ(verifyAlone(pad(2), shape({32, 32}), {&Copy}),
            "the layout of 'a' moves the row of element 32, copied with an "
            "alignment of 16 bytes, by 8");
  EXPECT_NE(verifyAlone(swizzle(0, 3, 2), shape({32, 32}), {&Copy}), "");
  // Of one dimension: the rows for which it was proved.
  EXPECT_EQ(verifyAlone(pad(4, 64), shape({1024}), {&Copy}),
            "the layout of 'a' has other rows than those that are copied");
  Copy.Split.emplace();
  Copy.Split->Pitch = 64;
  EXPECT_EQ(verifyAlone(pad(4, 64), shape({1024}), {&Copy}), "");
  EXPECT_NE(verifyAlone(pad(4, 32), shape({1024}), {&Copy}), "");
}

TEST(VerifyLayoutTest, FieldsThatAreNotThoseOfTheStructAreFound) {
  const Layout New = layout(Family::Fields);
  Access Double = access(8, 8), Last = access(4, 24), Whole = access(32);
  EXPECT_EQ(verifyAlone(New, structs(), {&Double, &Last}), "");
  EXPECT_EQ(verifyAlone(New, structs(), {&Whole}),
            "the layout of 'a' has no field for the 32 bytes at byte 0");
  ArrayShape Missing = structs();
  Missing.Fields.pop_back();
  EXPECT_NE(verifyAlone(New, Missing, {&Last}), "");
  ArrayShape TooLarge = structs();
  TooLarge.Fields[0].Size = 9;
  EXPECT_NE(verifyAlone(New, TooLarge), "");
  ArrayShape TooSmall = structs();
  TooSmall.Fields[2].Size = 8;
  EXPECT_NE(verifyAlone(New, TooSmall, {&Last}), "");
  ArrayShape Unaligned = structs();
  Unaligned.Fields[1].Alignment = 1;
  EXPECT_EQ(verifyAlone(New, Unaligned, {&Double}),
            "the layout of 'a' does not align element 0 to 8 bytes");
}
