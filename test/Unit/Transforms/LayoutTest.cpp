// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Layouts are injective, need the memory that they say, and have names.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/Plan.h"

#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace cudaopt;
using Family = Layout::Family;

static ArrayShape shape(llvm::ArrayRef<uint64_t> Extents) {
  ArrayShape Shape;
  Shape.Extents.assign(Extents.begin(), Extents.end());
  Shape.ElementSize = 4;
  return Shape;
}

static Layout pad(unsigned Padding, uint64_t Pitch = 0) {
  return {.Kind = Family::Pad, .Pitch = Pitch, .Padding = Padding};
}

static Layout swizzle(unsigned RowShift, unsigned Bits, unsigned Unit,
                      uint64_t Pitch = 0) {
  return {.Kind = Family::Xor,
          .Pitch = Pitch,
          .RowShift = RowShift,
          .Bits = Bits,
          .Unit = Unit};
}

/// Every element has its own place, inside the storage.
static void expectInjective(const Layout &L, const ArrayShape &Shape) {
  std::vector<bool> IsTaken(L.storage(Shape));
  for (uint64_t I = 0; I != Shape.numElements(); ++I) {
    uint64_t Place = L.apply(I, L.pitchOf(Shape));
    ASSERT_LT(Place, IsTaken.size()) << L.text(Shape) << " of " << I;
    ASSERT_FALSE(IsTaken[Place]) << L.text(Shape) << " of " << I;
    IsTaken[Place] = true;
  }
}

TEST(LayoutTest, PadsAreInjective) {
  std::mt19937 Random(1);
  for (int Round = 0; Round != 100; ++Round) {
    uint64_t Rows = 1 + Random() % 40, Pitch = 1 + Random() % 70;
    expectInjective(pad(1 + Random() % 9), shape({Rows, Pitch}));
    expectInjective(pad(1 + Random() % 9), shape({2, Rows, Pitch}));
    expectInjective(pad(1 + Random() % 9, Pitch), shape({Rows * Pitch + 1}));
  }
}

TEST(LayoutTest, XorsAreInjective) {
  std::mt19937 Random(2);
  for (int Round = 0; Round != 100; ++Round) {
    unsigned Bits = 1 + Random() % 5, Unit = Random() % 3, Shift = Random() % 4;
    uint64_t Rows = 1 + Random() % 40;
    uint64_t Pitch = (1 + Random() % 3) << (Bits + Unit);
    expectInjective(swizzle(Shift, Bits, Unit), shape({Rows, Pitch}));
    expectInjective(swizzle(Shift, Bits, Unit, Pitch), shape({Rows * Pitch}));
  }
}

// An array of rows is padded to its end, a flat one up to its last element.
TEST(LayoutTest, StorageEndsWhereTheTextSays) {
  EXPECT_EQ(pad(1).storage(shape({32, 32})), 32u * 33);
  EXPECT_EQ(pad(2).storage(shape({2, 3, 4})), 2u * 3 * 6);
  EXPECT_EQ(pad(1, 32).storage(shape({256})), 256u + 7);
  EXPECT_EQ(pad(1, 32).storage(shape({257})), 257u + 8);
  EXPECT_EQ(swizzle(0, 5, 0).storage(shape({32, 32})), 1024u);
  EXPECT_EQ(Layout().storage(shape({256})), 256u);
}

TEST(LayoutTest, TextNamesTheFamily) {
  EXPECT_EQ(Layout().text(shape({32, 32})), "[32][32]");
  EXPECT_EQ(pad(1).text(shape({32, 32})), "[32][33]");
  EXPECT_EQ(pad(1, 32).text(shape({256})), "[263] pitch 33");
  EXPECT_EQ(swizzle(0, 5, 0).text(shape({32, 32})), "[32][32] c ^ r");
  EXPECT_EQ(swizzle(0, 2, 0).text(shape({32, 32})), "[32][32] c ^ (r & 3)");
  EXPECT_EQ(swizzle(2, 2, 0).text(shape({32, 32})),
            "[32][32] c ^ (r >> 2 & 3)");
  EXPECT_EQ(swizzle(3, 2, 2).text(shape({32, 32})),
            "[32][32] c ^ (r >> 3 << 2)");
  EXPECT_EQ(swizzle(0, 2, 2, 16).text(shape({256})),
            "[256] pitch 16, c ^ ((r & 3) << 2)");
}

TEST(LayoutTest, PlanPrintsDecisions) {
  Kernel K;
  K.Name = "transpose";
  K.Arrays.resize(2);
  K.Arrays[0].Name = "tile";
  K.Arrays[1].Name = "line";
  K.Instances.push_back(std::make_unique<KernelInstance>());
  K.Instances[0]->Shapes = {shape({32, 32}), shape({32})};
  Plan P;
  P.Layouts[0] = {.New = pad(1), .WhyKept = {}, .Cost = {544, 64, 64}};
  P.Layouts[1].WhyKept.Why = Reason::NoConflict;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  P.print(K, OS);
  EXPECT_EQ(Text, "plan transpose\n"
                  "  layout tile [32][32] -> [32][33]: "
                  "wavefronts 544 -> 64, bound 64\n"
                  "  keep line: no access conflicts\n");
}
