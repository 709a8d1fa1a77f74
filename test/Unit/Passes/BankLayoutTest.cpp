// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which layouts the pass chooses, and what it promises of them.
//===----------------------------------------------------------------------===//

#include "DecidedLayout.h"

#include "cudaopt/Analysis/BankConflicts.h"
#include <random>

using namespace cudaopt;

/// Wavefronts of one pattern under \p L.
static unsigned countUnder(const LanePattern &P, const Layout &L,
                           const ArrayShape &Shape) {
  return countPattern(findTarget("sm_90")->Shared, P,
                      [&](uint32_t Element, unsigned Offset) {
                        return L.address(Element, Offset, Shape);
                      })
      .Wavefronts;
}

// 32 requests read columns of 32 words: 32 wavefronts each. Padding comes
// before xor, which costs instructions.
TEST(BankLayoutTest, TransposeOfFloats) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 4);
  LayoutDecision D = decide(H);
  expectCost(D, 32 + 1024, 64, 64);
  EXPECT_EQ(D.New, makePad(1));
  EXPECT_FALSE(D.Refused);
  EXPECT_TRUE(D.IsExact);
}

// Subscripts that cannot be edited leave the pitch to change: 33.
TEST(BankLayoutTest, TransposeWithFixedSubscripts) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 4);
  H.K.Arrays[0].SubscriptRefusal = Refusal{Reason::InMacro, "AT", {}};
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.New, makePad(1));
  expectCost(D, 1056, 64, 64);
}

// A half-warp covers all banks with 16 doubles.
TEST(BankLayoutTest, TransposeOfDoubles) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 8);
  LayoutDecision D = decide(H);
  expectCost(D, 64 + 1024, 128, 128);
  EXPECT_EQ(D.New, makePad(1));
}

// Two halves share a bank word: a pitch of 33 halves would still conflict.
TEST(BankLayoutTest, TransposeOfHalves) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 2);
  LayoutDecision D = decide(H);
  expectCost(D, 32 + 512, 64, 64);
  EXPECT_EQ(D.New, makePad(2));
}

// A warp covers two rows of 16 threads.
TEST(BankLayoutTest, TransposeInNarrowBlocks) {
  HandMadeKernel H({16, 16, 1});
  addTranspose(H, 16, 16, 4);
  LayoutDecision D = decide(H);
  expectCost(D, 8 + 64, 16, 16);
  EXPECT_EQ(D.New.Kind, Family::Xor);
}

// The same tile as one line, `s[x * 16 + y]`: rows are found in the subscript.
TEST(BankLayoutTest, LinearisedTile) {
  HandMadeKernel H({16, 16, 1});
  ArrayId Line = H.array({256}, 4);
  ValueId X = H.threadX(), Y = H.threadY();
  LinearSplit Rows{};
  Rows.Pitch = 16;
  H.write(Line, {H.add(H.mul(Y, 16), X)}).Split = Rows;
  H.read(Line, {H.add(H.mul(X, 16), Y)}).Split = Rows;
  LayoutDecision D = decide(H);
  expectCost(D, 8 + 64, 16, 16);
  EXPECT_EQ(D.New.Kind, Family::Xor);
  EXPECT_EQ(D.New.Pitch, 16u);
}

// Row numbers of three dimensions are written with the middle subscript alone.
TEST(BankLayoutTest, ThreeDimensions) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Cube = H.array({2, 32, 32}, 4);
  ValueId Plane = H.beginLoop(2), I = H.beginLoop(32);
  H.read(Cube, {Plane, H.threadX(), I});
  LayoutDecision D = decide(H);
  // Four elements a load.
  expectCost(D, 16 * 32, 64, 64);
  EXPECT_EQ(D.New, makeXor({1, 0, 3, false, 4}));

  // 33 is no multiple of 32.
  HandMadeKernel Odd({32, 4, 1});
  ArrayId Slabs = Odd.array({2, 33, 32}, 4);
  ValueId J = Odd.beginLoop(32);
  Odd.read(Slabs, {Odd.constant(1), Odd.threadX(), J});
  D = decide(Odd);
  EXPECT_EQ(D.New, makePad(4));
}

// The antidiagonals of a 17 x 17 tile: 16 words apart. An odd number of columns
// is no power of two's multiple, so only the pitch can change.
TEST(BankLayoutTest, DiagonalsOfAnOddTile) {
  HandMadeKernel H({16, 1, 1});
  ArrayId Tile = H.array({17, 17}, 4);
  ValueId X = H.threadX(), M = H.beginLoop(16), One = H.constant(1);
  H.beginIf(H.less(X, H.add(M, One)));
  H.read(Tile, {H.add(X, One), H.add(H.sub(M, X), One)});
  LayoutDecision D = decide(H);
  expectCost(D, 72, 16, 16);
  EXPECT_EQ(D.New, makePad(1));
}

// A product of 52 x 52 doubles by blocks of 32 threads: 75712 wavefronts in 104
// blocks, of which 24336 are in excess.
TEST(BankLayoutTest, ProductOfDoubles) {
  HandMadeKernel H({32, 1, 1}, {2, 52, 1});
  ArrayId AS = H.array({2704}, 8), BS = H.array({2704}, 8);
  LinearSplit Rows{};
  Rows.Pitch = 52;
  ValueId I = H.add(H.threadX(), H.mul(H.beginLoop(), 32));
  H.setCondition(H.less(I, H.constant(2704)));
  H.write(AS, {I});
  H.write(BS, {I});
  H.endLoop();
  ValueId Row = H.add(H.mul(H.blockX(), 32), H.threadX());
  ValueId Col =
      H.values().operation(ValueKind::Cast, {}, {H.values().blockIdx(1)});
  H.beginIf(H.less(Row, H.constant(52)));
  H.beginIf(H.less(Col, H.constant(52)));
  ValueId K = H.beginLoop(52);
  H.read(AS, {H.add(H.mul(Row, 52), K)}).Split = Rows;
  H.read(BS, {H.add(H.mul(K, 52), Col)}).Split = Rows;

  // Five blocks, of one warp each, fit on a multiprocessor: too few for the
  // xor.
  EXPECT_EQ(planOf(H).Layouts.find(AS)->second.Refused, Reason::FewWarps);
  const Plan P = planOf(H, {LayoutChoice::Xor});
  const LayoutDecision &OfAS = P.Layouts.find(AS)->second;
  const LayoutDecision &OfBS = P.Layouts.find(BS)->second;
  expectCost(OfAS, (17576 + 35152) / 104., (17576 + 10816) / 104.,
             (17576 + 10816) / 104.);
  expectCost(OfBS, (17576 + 5408) / 104., (17576 + 5408) / 104.,
             (17576 + 5408) / 104.);
  EXPECT_EQ(OfAS.New, makeXor({1, 2, 2}, 52));
  EXPECT_EQ(OfBS.Refused, Reason::NoConflict);
  EXPECT_TRUE(OfAS.IsExact && OfBS.IsExact);

  // A pitch of 53 makes the fill conflict at the ends of rows.
  double Total = 104 * OfBS.Cost.After;
  for (const LanePattern &L : collectPatterns(H.instance(), AS).Patterns)
    Total +=
        104 * L.Weight * countUnder(L, makePad(1, 52), H.instance().Shapes[AS]);
  EXPECT_NEAR(Total, 55432, 1e-6);
}

// Rows of 16 threads in rows of 16 words: a stencil that padding would harm.
TEST(BankLayoutTest, StencilIsKept) {
  HandMadeKernel H({16, 16, 1});
  ArrayId Tile = H.array({16, 16}, 4);
  ValueId X = H.threadX(), Y = H.threadY(), One = H.constant(1);
  H.beginIf(H.less(H.constant(0), X));
  H.beginIf(H.less(X, H.constant(15)));
  H.beginIf(H.less(H.constant(0), Y));
  H.beginIf(H.less(Y, H.constant(15)));
  H.read(Tile, {Y, X});
  H.read(Tile, {Y, H.add(X, One)});
  H.read(Tile, {Y, H.sub(X, One)});
  H.read(Tile, {H.add(Y, One), X});
  H.read(Tile, {H.sub(Y, One), X});
  LayoutDecision D = decide(H);
  EXPECT_FALSE(D.isRewritten());
  EXPECT_EQ(D.Refused, Reason::NoConflict);
  EXPECT_EQ(D.Cost.Before, D.Cost.Bound);
}

// Lanes that update one address wait for each other under any layout.
TEST(BankLayoutTest, AtomicsOnOneAddressAreKept) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Sum = H.array({32}, 4);
  H.access(AccessKind::Atomic, Sum, {H.constant(0)});
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.Refused, Reason::NoConflict);
  expectCost(D, 32, 32, 32);
}

// Rows, columns and wrapped antidiagonals of 32 lanes: no pitch serves all, and
// what is chosen must not cost more.
TEST(BankLayoutTest, NeverGetsWorse) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Tile = H.array({32, 32}, 4);
  ValueId X = H.threadX(), I = H.beginLoop(32);
  H.read(Tile, {I, X});
  H.read(Tile, {X, I});
  H.read(Tile, {X, H.rem(H.sub(H.add(I, H.constant(32)), X), 32)});
  LayoutDecision D = decide(H);
  EXPECT_LT(D.Cost.After, D.Cost.Before);
  EXPECT_GE(D.Cost.After, D.Cost.Bound);
}

// A word of every second element of the only row, of three words each: nothing
// moves them apart.
TEST(BankLayoutTest, NoGain) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({1, 63}, 12);
  H.read(Line, {H.constant(0), H.mul(H.threadX(), 2)}).Width = 4;
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.Refused, Reason::NoGain);
  expectCost(D, 2, 2, 1);
}

// The first reason counts: what the source forbids, then what is not known.
TEST(BankLayoutTest, Refusals) {
  HandMadeKernel H({32, 8, 1});
  addTranspose(H, 32, 8, 4);
  H.instance().Block.Threads = {0, 0, 0};
  EXPECT_EQ(decide(H).Refused, Reason::UnknownBlock);
  H.instance().Shapes[0].Extents.clear();
  EXPECT_EQ(decide(H).Refused, Reason::NotInstantiated);
  H.K.Arrays[0].IsExtern = true;
  EXPECT_EQ(decide(H).Refused, Reason::ExternArray);
  H.K.Arrays[0].Refusals = {{Reason::AddressEscapes, "tile", {}},
                            {Reason::SizeTaken, "", {}}};
  EXPECT_EQ(decide(H).Refused, Reason::AddressEscapes);
}

// No access can be counted: the reason is theirs if they agree.
TEST(BankLayoutTest, NothingToCount) {
  HandMadeKernel H({32, 1, 1});
  ArrayId Line = H.array({32}, 4);
  EXPECT_EQ(decide(H).Refused, Reason::NoConflict);
  H.read(Line, {}).WhyOpaque = Reason::DataDependent;
  EXPECT_EQ(decide(H).Refused, Reason::DataDependent);
  EXPECT_EQ(decide(H).Refused->Detail, "array");
  H.read(Line, {H.parameter()});
  EXPECT_EQ(decide(H).Refused, Reason::NoAnalysableAccess);
}

// Rows move apart: an access that may leave its row forbids it, an unknown
// subscript of a line does not.
TEST(BankLayoutTest, AccessOutOfItsRow) {
  HandMadeKernel H({32, 8, 1});
  ArrayId Tile = addTranspose(H, 32, 8, 4);
  H.read(Tile, {H.constant(0), H.parameter()}).InnerSubscriptsInBounds = false;
  EXPECT_EQ(decide(H).Refused, Reason::NotInBounds);

  HandMadeKernel Line({16, 16, 1});
  ArrayId S = Line.array({256}, 4);
  Line.read(S, {Line.add(Line.mul(Line.threadX(), 16), Line.threadY())});
  Access &Opaque = Line.read(S, {});
  Opaque.WhyOpaque = Reason::DataDependent;
  Opaque.InnerSubscriptsInBounds = false;
  EXPECT_TRUE(decide(Line).isRewritten());
}

// What forbids the only family that helps is the reason.
TEST(BankLayoutTest, FixedDeclaration) {
  HandMadeKernel H({32, 1, 1});
  addAntidiagonal(H);
  EXPECT_EQ(decide(H).New, makePad(1));
  H.K.Arrays[0].DeclarationRefusal = Refusal{Reason::InMacro, "TILE", {}};
  EXPECT_EQ(decide(H).Refused, Reason::InMacro);
}

// A block has 48 KiB of static shared memory, for all its arrays together.
TEST(BankLayoutTest, TooLarge) {
  HandMadeKernel H({32, 32, 1});
  addAntidiagonal(H);
  addAntidiagonal(H);
  H.array({49152 - 128 - H.instance().StaticSharedBytes}, 1);
  Plan P = planOf(H);
  EXPECT_TRUE(P.Layouts.find(0)->second.isRewritten());
  const std::optional<Refusal> &Kept = P.Layouts.find(1)->second.Refused;
  EXPECT_EQ(Kept, Reason::TooLarge);
  EXPECT_EQ(Kept->Detail, "49280");
}

// Of what device functions declare, each array may grow by a quarter.
TEST(BankLayoutTest, OtherFunctionsMayGrow) {
  HandMadeKernel H({32, 32, 1});
  addAntidiagonal(H);
  const uint64_t Own = H.instance().StaticSharedBytes;
  H.instance().StaticSharedBytes = Own + 35840;
  EXPECT_TRUE(decide(H).isRewritten());
  H.instance().StaticSharedBytes = Own + 35844;
  EXPECT_EQ(decide(H).Refused, Reason::TooLarge);
  EXPECT_EQ(decide(H).Refused->Detail, "49157");
}

// With 6272 bytes each, and 1024 for the system, 32 blocks share 228 KiB.
TEST(BankLayoutTest, LosesOccupancy) {
  HandMadeKernel H({32, 1, 1});
  addAntidiagonal(H);
  H.array({6272 - 128 - H.instance().StaticSharedBytes}, 1);
  EXPECT_TRUE(decide(H).isRewritten());
  H.array({128}, 1);
  EXPECT_EQ(decide(H).Refused, Reason::LosesOccupancy);
}

// One layout for all instances: 16 x 16 alone would need but four bits.
TEST(BankLayoutTest, InstancesShareALayout) {
  HandMadeKernel H({32, 8, 1});
  ArrayId Tile = addTranspose(H, 32, 8, 4);
  H.addInstance({16, 16, 1});
  H.shape(Tile, {16, 16}, 4);
  H.write(Tile, {H.threadY(), H.threadX()});
  H.read(Tile, {H.threadX(), H.threadY()});
  LayoutDecision D = decide(H);
  EXPECT_EQ(D.Cost.Before, 1056 + 72);
  EXPECT_EQ(D.Cost.Bound, 64 + 16);
  // Five bits would leave the rows of 16.
  EXPECT_FALSE(D.New.Kind == Family::Xor && D.New.changedBits() == 5);
  EXPECT_LT(D.Cost.After, D.Cost.Before);
}

namespace {

/// s[(A0 x + B0 y + C0 i) mod E0][...] by all threads in Trips iterations.
struct RandomAccess {
  AccessKind Kind;
  int64_t Trips;
  std::vector<std::array<int64_t, 3>> Factors;
};

/// A kernel with one array and affine accesses, all drawn by lot.
class RandomKernel {
public:
  explicit RandomKernel(unsigned Seed);
  /// Wavefronts per block, thread by thread.
  double countUnder(const Layout &L) const;
  const ArrayShape &shape() const { return H->K.Instances[0]->Shapes[0]; }

  std::unique_ptr<HandMadeKernel> H;

private:
  unsigned draw(unsigned Low, unsigned High) {
    return std::uniform_int_distribution<unsigned>(Low, High)(Random);
  }
  void addAccess();
  uint64_t elementOf(const RandomAccess &A, uint32_t Thread, int64_t I) const;

  std::mt19937 Random;
  std::array<uint32_t, 3> Block;
  std::vector<RandomAccess> Accesses;
};

} // namespace

RandomKernel::RandomKernel(unsigned Seed) : Random(Seed) {
  Block = {draw(1, 40), draw(1, 8), 1};
  H = std::make_unique<HandMadeKernel>(Block);
  static constexpr unsigned Sizes[] = {1, 2, 4, 8, 16, 12};
  llvm::SmallVector<uint64_t, 4> Extents;
  for (unsigned D = draw(1, 3); D > 0; --D)
    Extents.push_back(draw(0, 1) ? 1u << draw(1, 5) : draw(1, 36));
  // A line has rows by its subscripts only; let some be long enough.
  if (Extents.size() == 1)
    Extents[0] *= draw(1, 20);
  H->array(Extents, Sizes[draw(0, 5)]);
  for (unsigned N = draw(1, 3); N > 0; --N)
    addAccess();
}

void RandomKernel::addAccess() {
  RandomAccess A{
      draw(0, 1) ? AccessKind::Read : AccessKind::Write, draw(1, 6), {}};
  ValueId I = H->beginLoop(A.Trips);
  llvm::SmallVector<ValueId, 4> Index;
  for (uint64_t Extent : shape().Extents) {
    auto &F = A.Factors.emplace_back();
    for (int64_t &Factor : F)
      Factor = draw(0, 2) ? draw(0, 2) : draw(0, 33);
    ValueId Sum = H->add(H->mul(H->threadX(), F[0]),
                         H->add(H->mul(H->threadY(), F[1]), H->mul(I, F[2])));
    Index.push_back(H->rem(Sum, Extent));
  }
  Access &New = H->access(A.Kind, 0, Index);
  if (New.Width == 12) {
    New.Width = 4;
    New.Offset = 8;
  }
  H->endLoop();
  Accesses.push_back(A);
}

uint64_t RandomKernel::elementOf(const RandomAccess &A, uint32_t Thread,
                                 int64_t I) const {
  uint64_t Element = 0;
  for (auto [F, Extent] : llvm::zip(A.Factors, shape().Extents)) {
    uint64_t Sum =
        F[0] * (Thread % Block[0]) + F[1] * (Thread / Block[0]) + F[2] * I;
    Element = Element * Extent + Sum % Extent;
  }
  return Element;
}

double RandomKernel::countUnder(const Layout &L) const {
  const unsigned Size = shape().ElementSize;
  double Sum = 0;
  for (const RandomAccess &A : Accesses)
    for (int64_t I = 0; I < A.Trips; ++I)
      for (uint32_t First = 0; First < Block[0] * Block[1]; First += WarpSize) {
        WarpRequest R{A.Kind == AccessKind::Read ? MemoryOp::Load
                                                 : MemoryOp::Store,
                      Size == 12 ? 4 : Size,
                      0,
                      {}};
        for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
          if (First + Lane >= Block[0] * Block[1])
            break;
          R.ActiveLanes |= 1u << Lane;
          uint64_t Element = elementOf(A, First + Lane, I);
          R.Addresses[Lane] = L.address(Element, Size == 12 ? 8 : 0, shape());
        }
        Sum += countWavefronts(findTarget("sm_90")->Shared, R);
      }
  return Sum;
}

// For random boxes and affine subscripts, a count over all threads finds what
// the plan promises, and the layout keeps elements apart.
TEST(BankLayoutTest, PlansAgreeWithARecount) {
  unsigned NumRewritten = 0;
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    SCOPED_TRACE(Seed);
    RandomKernel R(Seed);
    LayoutDecision D = decide(*R.H);
    EXPECT_TRUE(D.IsExact);
    EXPECT_NEAR(D.SourceCost.Before, R.countUnder({}), 1e-6);
    EXPECT_NEAR(D.SourceCost.After, R.countUnder(D.New), 1e-6);
    EXPECT_LE(D.Cost.Bound, D.Cost.After);
    EXPECT_LE(D.Cost.After, D.Cost.Before);
    EXPECT_EQ(D.isRewritten(), D.Cost.After < D.Cost.Before);
    NumRewritten += D.isRewritten();

    std::vector<bool> Taken(D.New.storage(R.shape()));
    for (uint64_t E = 0; E < R.shape().numElements(); ++E) {
      uint64_t Place = D.New.apply(E, R.shape());
      ASSERT_LT(Place, Taken.size());
      EXPECT_FALSE(Taken[Place]);
      Taken[Place] = true;
    }
  }
  EXPECT_GT(NumRewritten, 50u);
}
