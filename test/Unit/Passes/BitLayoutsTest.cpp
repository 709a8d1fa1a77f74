// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which linear layouts the solver finds for known networks of accesses.
//===----------------------------------------------------------------------===//

#include "../../../lib/Passes/Layout/BitLayouts.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

using namespace cudaopt;

namespace {

Layout makeRows(unsigned Padding = 0, unsigned RowPadding = 0) {
  Layout L;
  L.Kind = Layout::Family::Xor;
  L.Padding = Padding;
  L.RowPadding = RowPadding;
  return L;
}

/// Patterns of one array, given lane by lane.
class HandMadePatterns {
public:
  HandMadePatterns(llvm::SmallVector<uint64_t, 4> Extents, unsigned ElementSize)
      : Shape{std::move(Extents), ElementSize, {}} {}

  /// A read by \p NumThreads threads; negative elements are not read.
  void read(unsigned NumThreads, llvm::function_ref<int64_t(int64_t)> Element,
            unsigned Width = 4) {
    for (unsigned First = 0; First < NumThreads; First += WarpSize) {
      LanePattern P = {};
      P.Op = MemoryOp::Load;
      P.Width = Width;
      P.Weight = 1;
      for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
        const int64_t E = Element(First + Lane);
        if (E < 0)
          continue;
        P.ActiveLanes |= 1u << Lane;
        P.Elements[Lane] = E;
      }
      if (P.ActiveLanes)
        Accesses.Patterns.push_back(P);
    }
  }

  BitSolutions solve(unsigned ChunkBits = 0, const Layout &Rows = makeRows()) {
    LayoutJudge Judge({{&Instance, &Shape, Accesses}}, BankMap());
    Wanted = Judge.boundOf(0);
    std::optional<BitProblem> Problem = makeBitProblem(Judge, Rows, ChunkBits);
    EXPECT_TRUE(Problem);
    BitSolutions Solutions = cudaopt::solve(*Problem);
    // What the solver promises is what the judge counts.
    for (const BitSolution &S : Solutions.Best)
      EXPECT_NEAR(S.Cost * Wanted, count(Judge, Rows, S), 1e-6);
    return Solutions;
  }
  bool hasProblem(const Layout &Rows) const {
    LayoutJudge Judge({{&Instance, &Shape, Accesses}}, BankMap());
    return makeBitProblem(Judge, Rows, 0).has_value();
  }
  /// Wavefronts over the bound under the best solution.
  double ratio(const BitSolutions &Solutions) const {
    return Solutions.Best.empty() ? 0 : Solutions.Best.back().Cost;
  }

private:
  static double count(LayoutJudge &Judge, Layout L, const BitSolution &S) {
    L.Terms = S.Terms;
    return Judge.countAll(L).After;
  }

  KernelInstance Instance = {};
  ArrayShape Shape;
  AccessPatterns Accesses;
  double Wanted = 0;
};

} // namespace

// Exchanges over all distances: one bit spread over all others, and nothing
// less.
TEST(BitLayoutsTest, BitonicSort) {
  HandMadePatterns P({1024}, 4);
  for (int64_t Stride = 512; Stride; Stride /= 2)
    for (int64_t Second : {int64_t(0), Stride})
      P.read(512, [=](int64_t T) { return 2 * T - T % Stride + Second; });
  const BitSolutions S = P.solve();
  EXPECT_TRUE(S.IsProved);
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
  ASSERT_EQ(S.Best.back().Terms.size(), 1u);
  EXPECT_EQ(S.Best.back().Terms[0], (BitTerm{0, 5, 1, false, 31}));
}

// Radix 4: two bits spread.
TEST(BitLayoutsTest, WalshTransform) {
  HandMadePatterns P({1024}, 4);
  for (int64_t Stride = 256; Stride; Stride /= 4)
    for (int64_t Q = 0; Q < 4; ++Q)
      P.read(256, [=](int64_t T) {
        return 4 * (T - T % Stride) + T % Stride + Q * Stride;
      });
  const BitSolutions S = P.solve();
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
  EXPECT_EQ(S.Best.back().Terms.size(), 2u);
}

// A tree of sums: the higher bits under the lower ones.
TEST(BitLayoutsTest, Scan) {
  HandMadePatterns P({1024}, 4);
  for (int64_t Offset = 1; Offset < 1024; Offset *= 2)
    for (int64_t Second : {1, 2})
      P.read(512, [=](int64_t T) {
        return T < 512 / Offset ? Offset * (2 * T + Second) - 1 : -1;
      });
  const BitSolutions S = P.solve();
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
  EXPECT_EQ(S.Best.back().Terms.size(), 1u);
}

// An exchange of 8 x 8 x 8 elements.
TEST(BitLayoutsTest, FourierTransform) {
  HandMadePatterns P({512}, 4);
  for (int64_t I = 0; I < 8; ++I) {
    P.read(64, [=](int64_t T) { return I * 64 + T; });
    P.read(64, [=](int64_t T) { return T % 8 * 64 + I * 8 + T / 8; });
    P.read(64, [=](int64_t T) { return T / 8 * 64 + I * 8 + T % 8; });
  }
  const BitSolutions S = P.solve();
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
}

// Four floats a lane stay together.
TEST(BitLayoutsTest, KeepsChunks) {
  HandMadePatterns P({8, 128}, 4);
  P.read(256, [](int64_t T) { return T % 16 * 8; }, 16);
  const BitSolutions S = P.solve(2);
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
  for (const BitTerm &Term : S.Best.back().Terms)
    EXPECT_EQ(Term.Factor % 4, 0u);
}

// Rows, columns, and diagonals by xor: no single run of bits does.
TEST(BitLayoutsTest, RowsColumnsAndDiagonals) {
  HandMadePatterns P({32, 32}, 4);
  for (int64_t I = 0; I < 32; ++I) {
    P.read(32, [=](int64_t T) { return I * 32 + T; });
    P.read(32, [=](int64_t T) { return T * 32 + I; });
    P.read(32, [=](int64_t T) { return T * 32 + (I ^ T); });
  }
  const BitSolutions S = P.solve();
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
  EXPECT_TRUE(S.IsProved);
}

// Diagonals that wrap around: no layout without holes reaches the bound.
TEST(BitLayoutsTest, WrappedDiagonals) {
  HandMadePatterns P({32, 32}, 4);
  for (int64_t I = 0; I < 32; ++I) {
    P.read(32, [=](int64_t T) { return I * 32 + T; });
    P.read(32, [=](int64_t T) { return T * 32 + I; });
    P.read(32, [=](int64_t T) { return T * 32 + (I - T + 32) % 32; });
  }
  const BitSolutions S = P.solve();
  EXPECT_GT(P.ratio(S), 1.01);
  EXPECT_LE(P.ratio(S), 112 / 96. + 1e-9);
}

// Planes nine rows long: half of them must be moved by four columns.
TEST(BitLayoutsTest, TermsInPaddedPlanes) {
  HandMadePatterns P({8, 8, 8}, 4);
  for (int64_t I = 0; I < 8; ++I) {
    P.read(64, [=](int64_t T) { return I * 64 + T; });
    P.read(64, [=](int64_t T) { return T % 8 * 64 + I * 8 + T / 8; });
  }
  EXPECT_GT(P.ratio(P.solve(0, makeRows(2))), 1.01);
  const BitSolutions S = P.solve(0, makeRows(0, 1));
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
  EXPECT_TRUE(S.IsProved);
}

// An xor can change no bit of a place that depends on the row's start.
TEST(BitLayoutsTest, RowsOfOddLengthHaveNoTerms) {
  HandMadePatterns P({32, 32}, 4);
  P.read(32, [=](int64_t T) { return T * 32; });
  EXPECT_TRUE(P.hasProblem(makeRows(2)));
  EXPECT_FALSE(P.hasProblem(makeRows(1)));
}

// 52 is four times an odd number: two bits may change.
TEST(BitLayoutsTest, RowsOfNoPowerOfTwo) {
  HandMadePatterns P({52, 52}, 8);
  for (int64_t I = 0; I < 52; ++I)
    P.read(32, [=](int64_t T) { return T * 52 + I; }, 8);
  const BitSolutions S = P.solve();
  EXPECT_NEAR(P.ratio(S), 1, 1e-9);
}
