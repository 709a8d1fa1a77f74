// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Intervals of values: they hold every number that occurs, and are tight where
/// subscripts need it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/ValueInterval.h"

#include "gtest/gtest.h"
#include <random>

using namespace cudaopt;

static constexpr ValueType Int{32, true};
static constexpr ValueType Char{8, true};
static constexpr ValueType Unsigned{32, false};
static constexpr ValueType UnsignedLong{64, false};

namespace {

/// An access in one loop of a kernel with blocks of 8 x 4 threads.
class ValueIntervalTest : public testing::Test {
protected:
  ValueIntervalTest() {
    K.Block.Threads = {8, 4, 1};
    K.Block.Grid = {2, 1, 1};
    K.Loops.push_back({nullptr, 0, std::nullopt, std::nullopt});
    A.Loops = {0};
    Tid = op(ValueKind::Cast, {G.threadIdx(0)});
    Iterator = op(ValueKind::Cast, {G.iterator(0)});
  }

  ValueId op(ValueKind Kind, std::vector<ValueId> Operands,
             ValueType Type = Int) {
    return G.operation(Kind, Type, Operands);
  }
  ValueId number(int64_t N, ValueType Type = Int) {
    return G.constant(N, Type);
  }
  std::optional<Interval> find(ValueId Id) {
    return ValueIntervals(K, A).find(Id);
  }
  bool isInRange(ValueId Id, uint64_t Extent) {
    return ValueIntervals(K, A).isInRange(Id, Extent);
  }

  KernelInstance K;
  ValueGraph &G = K.Values;
  Access A;
  ValueId Tid, Iterator;
};

} // namespace

// i = tid; i < 100; i += 32: i / 10 and i % 10 stay in rows of 10.
TEST_F(ValueIntervalTest, TestOfALoopBoundsItsCounter) {
  ValueId I =
      op(ValueKind::Add, {Tid, op(ValueKind::Mul, {Iterator, number(32)})});
  EXPECT_FALSE(isInRange(I, 100));
  K.Loops[0].Condition = op(ValueKind::Less, {I, number(100)});
  EXPECT_TRUE(isInRange(I, 100));
  EXPECT_FALSE(isInRange(I, 99));
  EXPECT_TRUE(isInRange(op(ValueKind::Div, {I, number(10)}), 10));
  EXPECT_TRUE(isInRange(op(ValueKind::Rem, {I, number(10)}), 10));
}

// A counter of 8 bits starts again at -128 before it reaches 1000.
TEST_F(ValueIntervalTest, CounterThatWrapsIsNotBounded) {
  ValueId Narrow = op(ValueKind::Cast, {Iterator}, Char);
  K.Loops[0].Condition =
      op(ValueKind::Less, {op(ValueKind::Cast, {Narrow}), number(1000)});
  EXPECT_FALSE(isInRange(Iterator, 1000));
}

// The test compares with what changes from one iteration to the next.
TEST_F(ValueIntervalTest, LimitThatDependsOnTheCounterIsNone) {
  ValueId Limit = op(ValueKind::Mul, {Iterator, Iterator});
  A.Guards = {op(ValueKind::Less, {Limit, number(50)})};
  K.Loops[0].Condition = op(ValueKind::Less, {Iterator, Limit});
  EXPECT_FALSE(isInRange(Iterator, 50));
}

TEST_F(ValueIntervalTest, GuardBoundsFromBothSides) {
  ValueId X = op(ValueKind::Sub, {Tid, number(1)});
  EXPECT_FALSE(isInRange(X, 5));
  A.Guards = {op(ValueKind::LogicalNot, {op(ValueKind::Less, {X, number(0)})}),
              op(ValueKind::Less, {X, number(5)})};
  EXPECT_TRUE(isInRange(X, 5));
}

// C's remainder has the sign of the dividend.
TEST_F(ValueIntervalTest, RemainderOfNegativeNumbersIsNegative) {
  ValueId X = op(ValueKind::Sub, {Tid, number(5)});
  std::optional<Interval> Found = find(op(ValueKind::Rem, {X, number(3)}));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Low, -2);
  EXPECT_EQ(Found->High, 2);
}

// Numbers of 64 unsigned bits above 2^63 look negative.
TEST_F(ValueIntervalTest, LowerBoundOfUnsignedLongBoundsNothing) {
  ValueId X = G.parameter("n", UnsignedLong);
  A.Guards = {
      op(ValueKind::LessEqual, {number(5, UnsignedLong), X}, UnsignedLong)};
  EXPECT_FALSE(find(X));
}

// Random expressions under random guards and tests: whatever occurs lies in the
// interval.
TEST_F(ValueIntervalTest, HoldsEveryNumberThatOccurs) {
  std::mt19937 Random(7);
  auto Pick = [&](unsigned N) { return static_cast<unsigned>(Random() % N); };
  unsigned NumFound = 0;
  for (unsigned Round = 0; Round < 800; ++Round) {
    K = KernelInstance();
    K.Block.Threads = {8, 4, 1};
    K.Block.Grid = {2, 1, 1};
    K.Loops.push_back({nullptr, 0, std::nullopt, std::nullopt});
    std::vector<ValueId> Pool = {G.threadIdx(0), G.threadIdx(1), G.blockIdx(0),
                                 op(ValueKind::Cast, {G.iterator(0)})};
    constexpr ValueKind Kinds[] = {
        ValueKind::Add,  ValueKind::Sub,    ValueKind::Mul, ValueKind::Div,
        ValueKind::Rem,  ValueKind::Shl,    ValueKind::Shr, ValueKind::And,
        ValueKind::Or,   ValueKind::Xor,    ValueKind::Min, ValueKind::Max,
        ValueKind::Cast, ValueKind::Select, ValueKind::Add, ValueKind::Mul};
    constexpr ValueType Types[] = {Int, Int, Unsigned, Char};
    for (unsigned N = 0; N < 6; ++N) {
      ValueKind Kind = Kinds[Pick(std::size(Kinds))];
      ValueType Type = Types[Pick(std::size(Types))];
      ValueId X = op(ValueKind::Cast, {Pool[Pick(Pool.size())]}, Type);
      ValueId Y = Pick(2)
                      ? number(1 + Pick(9), Type)
                      : op(ValueKind::Cast, {Pool[Pick(Pool.size())]}, Type);
      if (Kind == ValueKind::Cast)
        Pool.push_back(op(Kind, {X}, Type));
      else if (Kind == ValueKind::Select)
        Pool.push_back(
            op(Kind, {op(ValueKind::Less, {X, Y}, Type), X, Y}, Type));
      else
        Pool.push_back(op(Kind, {X, Y}, Type));
    }
    auto MakeTest = [&](ValueId X) {
      ValueKind Kind = Pick(3) ? ValueKind::Less : ValueKind::LessEqual;
      ValueType Type = G[X].Type;
      ValueId N = number(Pick(60), Type);
      ValueId Test = op(Kind, Pick(5) ? std::vector{X, N} : std::vector{N, X});
      return Pick(6) ? Test : op(ValueKind::LogicalNot, {Test});
    };
    A = Access();
    A.Loops = {0};
    K.Loops[0].Condition =
        MakeTest(Pick(2) ? Pool[3] : Pool[Pick(Pool.size())]);
    if (Pick(2))
      A.Guards = {MakeTest(Pool[Pick(Pool.size())])};

    ValueIntervals Intervals(K, A);
    Evaluator E(G);
    for (int64_t T = 0; T < 64; ++T)
      for (int64_t I = 0; I < 70; ++I) {
        E.moveTo({{T % 8, T / 8 % 4, 0}, {T / 32, 0, 0}, I});
        std::optional<int64_t> Passes = E.evaluate(*K.Loops[0].Condition);
        if (!Passes || !*Passes)
          break; // Later iterations are not reached.
        std::optional<int64_t> Holds = 1;
        for (ValueId Guard : A.Guards)
          Holds = E.evaluate(Guard);
        if (!Holds || !*Holds)
          continue;
        for (ValueId Id : Pool) {
          std::optional<Interval> Found = Intervals.find(Id);
          std::optional<int64_t> Number = E.evaluate(Id);
          NumFound += Found && Number;
          if (!Found || !Number)
            continue;
          std::string Text;
          llvm::raw_string_ostream OS(Text);
          G.print(Id, OS);
          ASSERT_LE(Found->Low, *Number) << Text << " round " << Round;
          ASSERT_GE(Found->High, *Number) << Text << " round " << Round;
        }
      }
  }
  EXPECT_GT(NumFound, 20000u);
}
