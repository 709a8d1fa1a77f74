// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Values of a kernel: sharing, folding, the arithmetic of C.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/ValueGraph.h"

#include "gtest/gtest.h"
#include <random>

using namespace cudaopt;

static constexpr ValueType Int{32, true};
static constexpr ValueType Unsigned{32, false};
static constexpr ValueType Long{64, true};
static constexpr ValueType UnsignedLong{64, false};

static std::optional<int64_t> evaluateAt(const ValueGraph &G, ValueId Id,
                                         const EvaluationPoint &Point) {
  Evaluator E(G);
  E.moveTo(Point);
  return E.evaluate(Id);
}

static std::string toText(const ValueGraph &G, ValueId Id) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  G.print(Id, OS);
  return Text;
}

// Equal expressions are one value, in either order of a sum.
TEST(ValueGraphTest, SharesEqualExpressions) {
  ValueGraph G;
  ValueId X = G.threadIdx(0), C = G.constant(4, Unsigned);
  ValueId A = G.operation(ValueKind::Add, Unsigned, {X, C});
  ValueId B = G.operation(ValueKind::Add, Unsigned, {C, X});
  EXPECT_EQ(A, B);
  EXPECT_NE(A, G.operation(ValueKind::Sub, Unsigned, {X, C}));
  EXPECT_NE(A, G.operation(ValueKind::Add, Long, {X, C}));
  EXPECT_NE(G.threadIdx(0), G.blockIdx(0));
}

// Parameters of one name are one value, others are not.
TEST(ValueGraphTest, ParametersAreKnownByName) {
  ValueGraph G;
  ValueId N = G.parameter("n", Int), M = G.parameter("m", Int);
  EXPECT_EQ(N, G.parameter("n", Int));
  EXPECT_NE(N, M);
  EXPECT_EQ(G.asConstant(G.operation(ValueKind::Sub, Int, {N, N})), 0);
  EXPECT_FALSE(G.asConstant(G.operation(ValueKind::Sub, Int, {N, M})));
}

// Operations that leave their operand alone are their operand.
TEST(ValueGraphTest, FoldsIdentities) {
  ValueGraph G;
  ValueId X = G.threadIdx(0), Zero = G.constant(0, Unsigned),
          One = G.constant(1, Unsigned);
  for (ValueKind Kind : {ValueKind::Add, ValueKind::Sub, ValueKind::Or,
                         ValueKind::Xor, ValueKind::Shl, ValueKind::Shr})
    EXPECT_EQ(G.operation(Kind, Unsigned, {X, Zero}), X);
  for (ValueKind Kind : {ValueKind::Mul, ValueKind::Div})
    EXPECT_EQ(G.operation(Kind, Unsigned, {X, One}), X);
  EXPECT_EQ(G.operation(ValueKind::Mul, Unsigned, {Zero, X}), Zero);
  EXPECT_EQ(G.operation(ValueKind::Sub, Unsigned, {X, X}), Zero);
  EXPECT_EQ(G.operation(ValueKind::Select, Unsigned, {One, X, Zero}), X);
  EXPECT_EQ(G.operation(ValueKind::Cast, Unsigned, {X}), X);

  ValueId Guard = G.operation(ValueKind::Less, Int, {X, One});
  EXPECT_EQ(G.operation(ValueKind::LogicalAnd, Int, {One, Guard}), Guard);
  EXPECT_EQ(G.asConstant(G.operation(ValueKind::LogicalOr, Int, {Guard, One})),
            1);
  EXPECT_EQ(
      G.asConstant(G.operation(ValueKind::LogicalAnd, Int, {Guard, Zero})), 0);
}

// An identity that changes the type is a conversion.
TEST(ValueGraphTest, FoldingKeepsTheType) {
  ValueGraph G;
  ValueId X = G.threadIdx(0);
  ValueId Sum = G.operation(ValueKind::Add, Long, {X, G.constant(0, Long)});
  EXPECT_EQ(G[Sum].Type, Long);
  EXPECT_EQ(toText(G, Sum), "(i64)threadIdx.x");
}

// Constants wrap as the C type does.
TEST(ValueGraphTest, ConstantsWrap) {
  ValueGraph G;
  EXPECT_EQ(G.asConstant(G.constant(-1, Unsigned)), 4294967295);
  EXPECT_EQ(G.asConstant(G.constant(4294967295, Int)), -1);
  EXPECT_EQ(G.asConstant(G.constant(300, {8, false})), 44);
  EXPECT_EQ(G.asConstant(G.constant(2, {1, false})), 1);
  ValueId Difference = G.operation(ValueKind::Sub, Unsigned,
                                   {G.constant(1, Int), G.constant(2, Int)});
  EXPECT_EQ(G.asConstant(Difference), 4294967295);
}

// A comparison converts its operands as C does.
TEST(ValueGraphTest, ComparesInTheCommonType) {
  ValueGraph G;
  auto IsLess = [&](ValueId A, ValueId B) {
    return G.asConstant(G.operation(ValueKind::Less, Int, {A, B}));
  };
  ValueId MinusOne = G.constant(-1, Int);
  EXPECT_EQ(IsLess(MinusOne, G.constant(1, Int)), 1);
  EXPECT_EQ(IsLess(MinusOne, G.constant(1, Unsigned)), 0);
  EXPECT_EQ(IsLess(MinusOne, G.constant(1, Long)), 1);
  EXPECT_EQ(IsLess(MinusOne, G.constant(1, UnsignedLong)), 0);
  EXPECT_EQ(IsLess(G.constant(-1, {8, true}), G.constant(1, {16, false})), 1);
}

// Operations without a result in C are no numbers.
TEST(ValueGraphTest, UndefinedOperationsHaveNoValue) {
  ValueGraph G;
  ValueId X = G.threadIdx(0);
  ValueId Quotient = G.operation(ValueKind::Div, Unsigned, {G.constant(8), X});
  ValueId Shifted = G.operation(ValueKind::Shl, Unsigned, {G.constant(1), X});
  ValueId Overflow =
      G.operation(ValueKind::Div, Int, {G.constant(INT32_MIN), G.constant(-1)});
  EXPECT_EQ(evaluateAt(G, Quotient, {{0, 0, 0}, {}, {}}), std::nullopt);
  EXPECT_EQ(evaluateAt(G, Quotient, {{2, 0, 0}, {}, {}}), 4);
  EXPECT_EQ(evaluateAt(G, Shifted, {{32, 0, 0}, {}, {}}), std::nullopt);
  EXPECT_EQ(evaluateAt(G, Shifted, {{31, 0, 0}, {}, {}}), 2147483648);
  EXPECT_EQ(evaluateAt(G, Overflow, {}), std::nullopt);
}

// One side of && that fails decides, even if the other has no value.
TEST(ValueGraphTest, LogicalOperationsNeedOneSide) {
  ValueGraph G;
  ValueId X = G.threadIdx(0), N = G.parameter("n", Unsigned);
  ValueId Small = G.operation(ValueKind::Less, Int, {X, G.constant(4)});
  ValueId InRange = G.operation(ValueKind::Less, Int, {X, N});
  ValueId Both = G.operation(ValueKind::LogicalAnd, Int, {InRange, Small});
  ValueId Either = G.operation(ValueKind::LogicalOr, Int, {InRange, Small});
  EXPECT_TRUE(G.dependsOnParameter(Both));
  EXPECT_EQ(evaluateAt(G, Both, {{5, 0, 0}, {}, {}}), 0);
  EXPECT_EQ(evaluateAt(G, Both, {{3, 0, 0}, {}, {}}), std::nullopt);
  EXPECT_EQ(evaluateAt(G, Either, {{3, 0, 0}, {}, {}}), 1);
}

// The last entry of a sequence serves all later indices.
TEST(ValueGraphTest, SequenceKeepsItsLastEntry) {
  ValueGraph G;
  ValueId I = G.iterator(0);
  ValueId Stride = G.sequence(I, {128, 64, 32}, Int);
  EXPECT_EQ(Stride, G.sequence(I, {128, 64, 32}, Int));
  EXPECT_EQ(G.asConstant(G.sequence(G.constant(1), {5, 6}, Int)), 6);
  for (auto [Index, Entry] : {std::pair(0, 128), {2, 32}, {9, 32}}) {
    int64_t Iterators[] = {Index};
    EXPECT_EQ(evaluateAt(G, Stride, {{}, {}, Iterators}), Entry);
  }
}

// A graph that shares every operand has an exponential text: it is cut.
TEST(ValueGraphTest, PrintsSharedGraphsWithinABudget) {
  ValueGraph G;
  ValueId X = G.threadIdx(0);
  ValueId Product = G.operation(ValueKind::Mul, Unsigned, {G.constant(32), X});
  EXPECT_EQ(toText(G, G.operation(ValueKind::Add, Unsigned,
                                  {Product, G.threadIdx(1)})),
            "(threadIdx.x * 32) + threadIdx.y");
  for (int I = 0; I < 60; ++I)
    X = G.operation(ValueKind::Add, Unsigned, {X, X});
  EXPECT_LT(toText(G, X).size(), 10000u);
  EXPECT_EQ(evaluateAt(G, X, {{1, 0, 0}, {}, {}}), 0);
}

// An evaluator forgets the last point.
TEST(ValueGraphTest, EvaluatorServesManyPoints) {
  ValueGraph G;
  ValueId Sum =
      G.operation(ValueKind::Add, Unsigned, {G.threadIdx(0), G.blockIdx(1)});
  EXPECT_TRUE(G.dependsOnBlock(Sum));
  Evaluator E(G);
  for (int64_t X = 0; X < 5; ++X) {
    E.moveTo({{X, 0, 0}, {0, 10 * X, 0}, {}});
    EXPECT_EQ(E.evaluate(Sum), 11 * X);
  }
}

// Folding constants, evaluating values and the host's compiler agree.
TEST(ValueGraphTest, AgreesWithTheHost) {
  std::mt19937 Random(7);
  for (int Round = 0; Round < 2000; ++Round) {
    auto A = static_cast<uint32_t>(Random() >> Random() % 32);
    auto B = static_cast<uint32_t>(Random() >> Random() % 32);
    if (B == 0)
      continue;
    auto SA = static_cast<int32_t>(A), SB = static_cast<int32_t>(B);
    bool Traps = SA == INT32_MIN && SB == -1;
    struct {
      ValueKind Kind;
      int64_t OfUnsigned, OfInt;
    } Cases[] = {
        {ValueKind::Add, A + B, static_cast<int32_t>(A + B)},
        {ValueKind::Sub, A - B, static_cast<int32_t>(A - B)},
        {ValueKind::Mul, A * B, static_cast<int32_t>(A * B)},
        {ValueKind::Div, A / B, Traps ? 0 : SA / SB},
        {ValueKind::Rem, A % B, Traps ? 0 : SA % SB},
        {ValueKind::Xor, A ^ B, SA ^ SB},
        {ValueKind::Min, std::min(A, B), std::min(SA, SB)},
        {ValueKind::Max, std::max(A, B), std::max(SA, SB)},
        {ValueKind::Less, A < B, SA < SB},
        {ValueKind::LessEqual, A <= B, SA <= SB},
    };
    for (auto [Kind, OfUnsigned, OfInt] : Cases) {
      if (Traps && (Kind == ValueKind::Div || Kind == ValueKind::Rem))
        continue;
      ValueGraph G;
      ValueId X = G.operation(ValueKind::Cast, Int, {G.threadIdx(0)});
      ValueId OnPoint = G.operation(Kind, Unsigned,
                                    {G.threadIdx(0), G.constant(B, Unsigned)});
      ValueId OnConstants =
          G.operation(Kind, Int, {G.constant(SA), G.constant(SB)});
      ValueId Signed = G.operation(Kind, Int, {X, G.constant(SB)});
      EXPECT_EQ(evaluateAt(G, OnPoint, {{A, 0, 0}, {}, {}}), OfUnsigned);
      EXPECT_EQ(evaluateAt(G, Signed, {{A, 0, 0}, {}, {}}), OfInt);
      EXPECT_EQ(G.asConstant(OnConstants), OfInt);
    }
  }
}
