// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns the patterns of an array into the phases of a BitProblem, and counts
/// the wavefronts of phases. The count is the inner loop of the search; it
/// works on bytes, one for each lane, so that compilers vectorize it.
//===----------------------------------------------------------------------===//

#include "BitLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

using namespace cudaopt;
using llvm::ArrayRef;

static constexpr size_t MaxPhases = 256;
/// A row of banks has at most 2^MaxPlaceBits elements, so that a position fits
/// into a byte.
static constexpr unsigned MaxPlaceBits = 8;
/// The number of phases that one search counts: some 30 ms.
static constexpr uint64_t Budget = 400'000;

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

BitProblem::BitProblem(unsigned Low, unsigned High, unsigned PlaceBits,
                       std::vector<BitInput> Inputs)
    : Low(Low), High(High), PlaceBits(PlaceBits), Inputs(std::move(Inputs)) {}

// The least lane becomes (0, 0) by adding it, by xor, to all lanes: that
// permutes the banks, under any f, since f is linear.
void BitProblem::add(BitPhase P) {
  const BitPhase::Lane First = *std::min_element(
      P.Lanes.begin(), P.Lanes.end(),
      [](const BitPhase::Lane &A, const BitPhase::Lane &B) {
        return std::pair(A.Inputs, A.Place) < std::pair(B.Inputs, B.Place);
      });
  for (BitPhase::Lane &Lane : P.Lanes) {
    Lane.Place ^= First.Place;
    Lane.Inputs ^= First.Inputs;
  }
  llvm::sort(P.Lanes);
  Phases.push_back(std::move(P));
}

/// Fills in Places and ReadersOf of \p P, the transposed form of its lanes.
static void spreadLanes(BitPhase &P) {
  uint32_t Read = 0;
  for (auto [I, Lane] : llvm::enumerate(P.Lanes)) {
    P.Places[I] = uint8_t(Lane.Place);
    Read |= Lane.Inputs;
  }
  for (; Read; Read &= Read - 1) {
    BitPhase::Readers &New = P.ReadersOf.emplace_back();
    New.Input = llvm::countr_zero(Read);
    for (auto [I, Lane] : llvm::enumerate(P.Lanes))
      New.Lanes[I] = Lane.Inputs >> New.Input & 1 ? 0xff : 0;
  }
}

void BitProblem::finish() {
  auto Key = [](const BitPhase &P) {
    return std::tie(P.GranuleBits, P.Bound, P.Lanes);
  };
  llvm::sort(Phases, [&](const BitPhase &A, const BitPhase &B) {
    return Key(A) < Key(B);
  });
  std::vector<BitPhase> Merged;
  for (BitPhase &P : Phases)
    if (!Merged.empty() && Key(Merged.back()) == Key(P))
      Merged.back().Weight += P.Weight;
    else
      Merged.push_back(std::move(P));
  Phases = std::move(Merged);
  llvm::for_each(Phases, spreadLanes);

  const BitColumns None(Inputs.size(), 0);
  std::vector<std::pair<double, size_t>> Order;
  for (auto [I, P] : llvm::enumerate(Phases))
    Order.push_back({-P.Weight * countPhase(P, None), I});
  llvm::sort(Order);
  std::vector<BitPhase> Sorted;
  for (auto [Weight, I] : Order)
    Sorted.push_back(std::move(Phases[I]));
  HasAllPhases = Sorted.size() <= MaxPhases;
  if (!HasAllPhases)
    Sorted.resize(MaxPhases);
  Phases = std::move(Sorted);
  for (const BitPhase &P : Phases)
    Bound += P.Weight * P.Bound;
}

bool BitProblem::isSpent() const { return Spent > Budget; }

// The position of a lane under f is its position without f, xor the columns of
// the inputs that are set. The wavefronts are the greatest number of lanes that
// get to the same bank: different lanes are different granules, except in
// reductions, where equal ones do count.
unsigned BitProblem::countPhase(const BitPhase &P,
                                ArrayRef<uint32_t> Columns) const {
  ++Spent;
  BitPhase::Bytes Places = P.Places;
  for (const BitPhase::Readers &R : P.ReadersOf)
    if (const auto Column = uint8_t(Columns[R.Input]))
      for (unsigned I = 0; I < Places.size(); ++I)
        Places[I] ^= Column & R.Lanes[I];
  const auto Mask = llvm::maskTrailingOnes<uint8_t>(PlaceBits);
  for (uint8_t &Place : Places)
    Place = (Place & Mask) >> P.GranuleBits;
  std::array<uint8_t, 1 << MaxPlaceBits> Counts;
  std::fill_n(Counts.begin(), 1u << (PlaceBits - P.GranuleBits), 0);
  unsigned Most = 0;
  for (size_t I = 0, End = P.Lanes.size(); I < End; ++I)
    Most = std::max<unsigned>(Most, ++Counts[Places[I]]);
  return Most;
}

double BitProblem::count(ArrayRef<uint32_t> Columns, double Limit) const {
  double Sum = Bound;
  for (const BitPhase &P : Phases) {
    Sum += P.Weight * (countPhase(P, Columns) - double(P.Bound));
    if (Sum >= Limit)
      return Sum;
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// The problem of an array
//===----------------------------------------------------------------------===//

namespace {

/// Converts patterns into phases: the number of an element becomes a position
/// and the values of the inputs.
class BitProblemBuilder {
public:
  BitProblemBuilder(const LayoutJudge &Judge, const Layout &Rows,
                    unsigned ChunkBits)
      : Judge(Judge), Rows(Rows), Low(ChunkBits) {}
  std::optional<BitProblem> run();

private:
  bool findBits();
  void addPattern(BitProblem &Problem, const WeightedPattern &P) const;
  void addRequest(BitProblem &Problem, const WeightedPattern &P, unsigned First,
                  unsigned Merged) const;
  uint32_t readInputs(uint32_t Element, const ArrayShape &Shape) const;
  double weightOf(const WeightedPattern &P) const;

  const LayoutJudge &Judge;
  const Layout &Rows;
  unsigned Low, High = 0, PlaceBits = 0;
  std::vector<BitInput> Inputs;
};

} // namespace

/// Returns the number of values of coordinate \p From (0 is the column); 1 if
/// the array has no such coordinate.
static uint64_t sizeOf(const ArrayShape &Shape, uint64_t Pitch, unsigned From) {
  const size_t N = Shape.Extents.size();
  if (N > 1)
    return From < N ? Shape.Extents[N - 1 - From] : 1;
  if (From > 0)
    return From == 1 && Pitch ? llvm::divideCeil(Shape.Extents[0], Pitch) : 1;
  return Pitch ? Pitch : Shape.Extents[0];
}

/// Finds the bits that f may change, [Low, High), and those that it may read,
/// Inputs. In every instance, a row must start at a multiple of 2^High. Returns
/// false if there are no such bits.
bool BitProblemBuilder::findBits() {
  const unsigned Size = Judge.instances().front().Shape->ElementSize;
  const unsigned RowOfBanks = Judge.map().Banks * Judge.map().Width;
  if (!llvm::isPowerOf2_32(Size) || !llvm::isPowerOf2_32(RowOfBanks) ||
      Size >= RowOfBanks)
    return false;
  PlaceBits = llvm::Log2_32(RowOfBanks / Size);
  High = PlaceBits;
  std::array<uint64_t, 4> Sizes = {1, 1, 1, 1};
  for (const ArrayInstance &I : Judge.instances()) {
    if (I.Shape->ElementSize != Size)
      return false;
    uint64_t Lengths = sizeOf(*I.Shape, Rows.Pitch, 0) + Rows.Padding;
    if (Rows.Pitch)
      Lengths |= Rows.Pitch | I.Shape->numElements();
    High = std::min<unsigned>(High, llvm::countr_zero(Lengths));
    for (unsigned From = 0; From < 4; ++From)
      Sizes[From] = std::max(Sizes[From], sizeOf(*I.Shape, Rows.Pitch, From));
  }
  // The low bits, which select a byte within a bank's word, change no bank.
  if (Size < Judge.map().Width)
    Low = std::max(Low, llvm::Log2_32(Judge.map().Width / Size));
  for (unsigned From = 0; From < 4; ++From)
    for (unsigned Bit = From ? 0 : High; Sizes[From] > uint64_t(1) << Bit;
         ++Bit)
      Inputs.push_back({uint8_t(From), uint8_t(Bit)});
  return Low < High && !Inputs.empty() && Inputs.size() <= 32;
}

/// Returns the values of the inputs for \p Element, as a bit set.
uint32_t BitProblemBuilder::readInputs(uint32_t Element,
                                       const ArrayShape &Shape) const {
  std::array<uint64_t, 4> Coordinates;
  uint64_t Rest = Element;
  for (unsigned From = 0; From < 4; ++From) {
    const uint64_t Size = sizeOf(Shape, Rows.Pitch, From);
    Coordinates[From] = Rest % Size;
    Rest /= Size;
  }
  uint32_t Read = 0;
  for (auto [J, Input] : llvm::enumerate(Inputs))
    Read |= (Coordinates[Input.From] >> Input.Bit & 1) << J;
  return Read;
}

/// Returns the weight of a pattern. Of the assumed shapes of the block only one
/// is true: each is scaled by its bound, so that all count alike. Patterns of
/// known shapes belong to each of the alternatives.
double BitProblemBuilder::weightOf(const WeightedPattern &P) const {
  const double Weight = P.Pattern->Weight;
  auto Share = [&](unsigned Group) {
    const double Bound = Judge.boundOf(Group);
    return Bound > 0 ? Weight / Bound : 0;
  };
  if (P.Group || Judge.numAssumed() == 0)
    return Share(P.Group);
  double Sum = 0;
  for (unsigned Group = 1; Group <= Judge.numAssumed(); ++Group)
    Sum += Share(Group);
  return Sum;
}

/// Adds the requests of \p P, merged as the compiler does if the layout keeps
/// chunks of 2^Low elements.
void BitProblemBuilder::addPattern(BitProblem &Problem,
                                   const WeightedPattern &P) const {
  const LanePattern &L = *P.Pattern;
  const ArrayShape &Shape = *Judge.instances()[P.Instance].Shape;
  const unsigned Size = Shape.ElementSize;
  auto Address = [&](uint32_t Element, unsigned Offset) {
    return Rows.address(Element, Offset, Shape);
  };
  for (unsigned First = 0; First < L.Count;) {
    unsigned Merged = L.Count;
    while (Merged > 1 &&
           (First % Merged || First + Merged > L.Count ||
            Merged * L.Width > 16 || Merged * L.Width > Size << Low ||
            !L.canMerge(Address, First, Merged)))
      Merged /= 2;
    addRequest(Problem, P, First, Merged);
    First += Merged;
  }
}

/// Returns the least wavefronts that \p P can need if f distributes its
/// granules over \p NumSlots banks; equal lanes (of a reduction) always go to
/// the same bank.
static unsigned boundLanes(const BitPhase &P, unsigned NumSlots) {
  unsigned Most = llvm::divideCeil(P.Lanes.size(), NumSlots);
  for (const BitPhase::Lane &Lane : P.Lanes)
    Most = std::max<unsigned>(Most, llvm::count(P.Lanes, Lane));
  return Most;
}

/// Adds the phases of one request: \p Merged executions of \p P from number
/// \p First on, as one access.
void BitProblemBuilder::addRequest(BitProblem &Problem,
                                   const WeightedPattern &P, unsigned First,
                                   unsigned Merged) const {
  const ArrayShape &Shape = *Judge.instances()[P.Instance].Shape;
  const unsigned Size = Shape.ElementSize;
  const WarpRequest R = P.Pattern->makeRequest(
      [&](uint32_t Element, unsigned Offset) {
        return Rows.address(Element, Offset, Shape);
      },
      First, Merged);
  const unsigned Granule =
      std::max({1u, R.Width / Size, Judge.map().Width / Size});
  for (uint32_t Phase : splitIntoPhases(Judge.map(), R)) {
    if (!Phase)
      continue;
    BitPhase New;
    New.GranuleBits = llvm::Log2_32(Granule);
    New.Weight = weightOf(P);
    for (; Phase; Phase &= Phase - 1) {
      const uint32_t Element = P.Pattern->Elements[llvm::countr_zero(Phase)] +
                               (P.Pattern->MemberStep ? 0 : First);
      const uint32_t Place = Rows.apply(Element, Shape) & ~(Granule - 1);
      New.Lanes.push_back({Place, readInputs(Element, Shape)});
    }
    llvm::sort(New.Lanes);
    if (R.Op != MemoryOp::Reduce)
      New.Lanes.erase(llvm::unique(New.Lanes), New.Lanes.end());
    New.Bound = boundLanes(New, 1u << (PlaceBits - New.GranuleBits));
    for (BitPhase::Lane &Lane : New.Lanes)
      Lane.Place &= llvm::maskTrailingOnes<uint32_t>(PlaceBits);
    Problem.add(std::move(New));
  }
}

std::optional<BitProblem> BitProblemBuilder::run() {
  if (!findBits())
    return std::nullopt;
  BitProblem Problem(Low, High, PlaceBits, Inputs);
  for (const WeightedPattern &P : Judge.patterns())
    addPattern(Problem, P);
  Problem.finish();
  return Problem;
}

std::optional<BitProblem> cudaopt::makeBitProblem(const LayoutJudge &Judge,
                                                  const Layout &Rows,
                                                  unsigned ChunkBits) {
  return BitProblemBuilder(Judge, Rows, ChunkBits).run();
}
