// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lists the layouts that are worth counting. The families are small enough to
/// enumerate all members, except for Xor with several terms, where the solver
/// of BitLayouts.h returns the best ones.
//===----------------------------------------------------------------------===//

#include "LayoutCandidates.h"

#include "BitLayouts.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

using namespace cudaopt;
using llvm::ArrayRef;
using Family = Layout::Family;

static constexpr size_t MaxPitches = 12;
/// More rows of padding repeat the banks in which the planes start.
static constexpr unsigned MaxRowPadding = 32;
/// The greatest entry of the matrix of a Transform that is tried.
static constexpr unsigned MaxFactor = 4;
/// The number of paddings to which terms are added, and the number of patterns
/// that are counted to choose them.
static constexpr size_t MaxProducts = 4;
static constexpr uint64_t ProductBudget = 50'000;

using Variables = llvm::SmallPtrSet<const clang::ValueDecl *, 8>;

/// Adds the variables that occur in \p S to \p Result.
static void collectVariables(const clang::Stmt *S, Variables &Result) {
  // clang represents threadIdx.x by a pseudo object around threadIdx.
  while (const auto *Known = llvm::dyn_cast<clang::OpaqueValueExpr>(S))
    S = Known->getSourceExpr();
  if (const auto *Use = llvm::dyn_cast<clang::DeclRefExpr>(S))
    Result.insert(Use->getDecl());
  for (const clang::Stmt *Child : S->children())
    if (Child)
      collectVariables(Child, Result);
}

/// Returns true if the column \p E is swizzled: it contains `a ^ b`, also as a
/// term of a sum, where b mentions a variable of a or one of \p Others, those
/// of the other subscripts. `i ^ 1` and `i ^ j` alone are no swizzles but an
/// exchange between lanes.
static bool isPermutation(const clang::Expr *E, Variables Others) {
  const auto *Op =
      llvm::dyn_cast<clang::BinaryOperator>(E->IgnoreParenImpCasts());
  if (!Op)
    return false;
  const bool IsXor = Op->getOpcode() == clang::BO_Xor;
  if (!IsXor && !Op->isAdditiveOp())
    return false;
  for (auto [Part, Rest] : {std::pair(Op->getLHS(), Op->getRHS()),
                            std::pair(Op->getRHS(), Op->getLHS())}) {
    Variables OfRest = Others, OfPart;
    collectVariables(Rest, OfRest);
    collectVariables(Part, OfPart);
    if (isPermutation(Part, OfRest) ||
        (IsXor && llvm::any_of(OfPart, [&](const clang::ValueDecl *Variable) {
           return OfRest.contains(Variable);
         })))
      return true;
  }
  return false;
}

/// Returns true if the author, or an earlier run of cuda-opt, has swizzled the
/// columns. A second permutation would make the text unreadable, and every
/// further run would add one more.
bool LayoutCandidates::isPermuted() const {
  return llvm::any_of(Instances, [&](const ArrayInstance &I) {
    return llvm::any_of(I.Instance->Accesses, [&](const Access &A) {
      if (A.Array != Id || A.Subscripts.empty())
        return false;
      Variables Others;
      for (const clang::Expr *Outer : llvm::drop_end(A.Subscripts))
        collectVariables(Outer, Others);
      return isPermutation(A.Subscripts.back(), std::move(Others));
    });
  });
}

LayoutCandidates::LayoutCandidates(const Kernel &K, ArrayId Id, const Target &T,
                                   const LayoutMap &Earlier, LayoutJudge &Judge)
    : K(K), Id(Id), Array(K.Arrays[Id]), T(T), Earlier(Earlier), Judge(Judge),
      Instances(Judge.instances()),
      IsFlat(Instances.front().Shape->Extents.size() == 1) {
  WasPermuted = isPermuted();
  OutOfRow = findAccessOutOfRow(Instances, Id, Array);
  for (const ArrayInstance &I : Instances)
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id)
        MaxChunk = std::max(MaxChunk, A.Chunk);
  const unsigned RowOfBanks = T.Shared.Banks * T.Shared.Width;
  for (const ArrayInstance &I : Instances)
    if (unsigned Size = I.Shape->ElementSize; Size < RowOfBanks)
      PlaceBits = std::max(PlaceBits, llvm::Log2_32(RowOfBanks / Size));
  listPitches();
}

/// Lists the row lengths by which the array may be seen, the likeliest first.
/// An array of several dimensions has its own. For one of one dimension: those
/// with which its subscripts are written, one row, powers of two, and the
/// strides at which lanes conflict.
void LayoutCandidates::listPitches() {
  if (!IsFlat) {
    Pitches.push_back({0, true});
    return;
  }
  uint64_t NumElements = std::numeric_limits<uint64_t>::max();
  for (const ArrayInstance &I : Instances)
    NumElements = std::min(NumElements, I.Shape->numElements());
  auto Add = [&](uint64_t Pitch, bool IsSpelled) {
    auto IsSame = [=](const RowLength &R) { return R.Pitch == Pitch; };
    if (Pitch > 1 && Pitch < NumElements && Pitches.size() < MaxPitches &&
        llvm::none_of(Pitches, IsSame))
      Pitches.push_back({Pitch, IsSpelled});
  };
  for (const ArrayInstance &I : Instances)
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && A.Split)
        Add(A.Split->Pitch, true);
  Pitches.push_back({0, false});
  for (uint64_t Pitch = 16; Pitch <= NumElements / 2; Pitch *= 2)
    Add(Pitch, false);
  for (uint64_t Stride : findStrides())
    Add(Stride, false);
}

/// Returns the distances, in elements, between the accesses of neighbouring
/// lanes in patterns with conflicts, the most frequent ones first.
std::vector<uint64_t> LayoutCandidates::findStrides() const {
  std::map<uint64_t, double> Weights;
  for (const WeightedPattern &W : Judge.patterns()) {
    if (W.Before <= W.Bound)
      continue;
    const LanePattern &P = *W.Pattern;
    for (unsigned Lane = 0; Lane + 1 < WarpSize; ++Lane) {
      auto [Low, High] = std::minmax(P.Elements[Lane], P.Elements[Lane + 1]);
      if ((P.ActiveLanes >> Lane & 3) == 3 && Low != High)
        Weights[High - Low] += P.Weight;
    }
  }
  std::vector<uint64_t> Strides;
  for (auto [Stride, Weight] : Weights)
    Strides.push_back(Stride);
  llvm::sort(Strides, [&](uint64_t A, uint64_t B) {
    return std::pair(-Weights[A], A) < std::pair(-Weights[B], B);
  });
  return Strides;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void LayoutCandidates::add(const Layout &New, size_t Rank,
                           std::vector<Candidate> &Result) const {
  int64_t Growth = std::numeric_limits<int64_t>::min();
  for (const ArrayInstance &I : Instances) {
    if (New.findMisfit(*I.Shape))
      return;
    Growth = std::max(Growth, computeGrowth(New, *I.Shape));
  }
  Result.push_back(
      {New, Growth, Rank, priceOf(New), flatPriceOf(New), findObstacle(New)});
}

/// Returns the greatest padding that is worth trying: from the next one on, the
/// banks are those of a smaller padding.
unsigned LayoutCandidates::findMaxPadding() const {
  unsigned Max = 0;
  for (const ArrayInstance &I : Instances) {
    const unsigned Size = I.Shape->ElementSize;
    const bool IsUniform = llvm::isPowerOf2_32(Size) && Size <= 16;
    const unsigned RowOfBanks = T.Shared.Banks * T.Shared.Width;
    Max = std::max(Max, (IsUniform ? RowOfBanks / Size : T.Shared.Banks) - 1);
  }
  return Max;
}

/// Adds the paddings of rows and, for three and more dimensions, of planes. The
/// latter are tried only as long as they take little memory.
void LayoutCandidates::addPads(uint64_t Pitch, size_t Rank,
                               std::vector<Candidate> &Result) const {
  const size_t NumDimensions = Instances.front().Shape->Extents.size();
  Layout Pad;
  Pad.Kind = Family::Pad;
  Pad.Pitch = Pitch;
  const unsigned MaxPadding = findMaxPadding();
  for (Pad.Padding = 1; Pad.Padding <= MaxPadding; ++Pad.Padding)
    add(Pad, Rank, Result);
  if (NumDimensions < 3)
    return;
  for (Pad.RowPadding = 1; Pad.RowPadding <= MaxRowPadding; ++Pad.RowPadding)
    for (Pad.Padding = 0; Pad.Padding <= MaxPadding && !isMuch(Pad);
         ++Pad.Padding)
      add(Pad, Rank, Result);
}

/// Adds the permutations of up to three dimensions, each with paddings of its
/// rows; for one dimension, the exchange of rows and columns.
void LayoutCandidates::addPermutations(uint64_t Pitch, size_t Rank,
                                       std::vector<Candidate> &Result) const {
  const unsigned NumDimensions = Instances.front().Shape->Extents.size();
  Layout New;
  New.Kind = Family::Permute;
  New.Pitch = Pitch;
  if (!IsFlat) {
    New.Order.resize(NumDimensions);
    std::iota(New.Order.begin(), New.Order.end(), 0);
  }
  const unsigned MaxPadding = findMaxPadding();
  // The first order, which is skipped, is the array's own.
  while (IsFlat ||
         (NumDimensions <= 3 &&
          std::next_permutation(New.Order.begin(), New.Order.end()))) {
    for (New.Padding = 0; New.Padding <= MaxPadding && !isMuch(New);
         ++New.Padding)
      add(New, Rank, Result);
    if (IsFlat)
      break;
  }
}

/// Adds the Xor layouts with one term that is a run of bits of one coordinate.
void LayoutCandidates::addXors(uint64_t Pitch, size_t Rank,
                               std::vector<Candidate> &Result) const {
  const unsigned NumDimensions = Instances.front().Shape->Extents.size();
  const bool IsOneRow = IsFlat && Pitch == 0;
  const unsigned MaxFrom = IsFlat ? 1 : NumDimensions - 1;
  const unsigned MaxShift = IsOneRow ? 15 : 5;
  for (unsigned From = IsOneRow ? 0 : 1; From <= (IsOneRow ? 0 : MaxFrom);
       ++From)
    for (unsigned Bits = 1; Bits <= PlaceBits; ++Bits)
      for (unsigned Unit = 0; Unit + Bits <= PlaceBits; ++Unit)
        for (unsigned Shift = IsOneRow ? Unit + Bits : 0; Shift <= MaxShift;
             ++Shift) {
          Layout New;
          New.Kind = Family::Xor;
          New.Pitch = Pitch;
          New.Terms.push_back({uint8_t(From), uint8_t(Shift), uint8_t(Bits),
                               false, uint32_t(1) << Unit});
          const bool ReadsNothing =
              llvm::all_of(Instances, [&](const ArrayInstance &I) {
                return IsOneRow && I.Shape->numElements() >> Shift <= 1;
              });
          if (!ReadsNothing)
            add(New, Rank, Result);
        }
}

/// Returns the key by which candidates of equal wavefronts are sorted. Layouts
/// that cost no instruction come before those that do: padding changes one
/// line, and measured half as many instructions as xor in convolutions;
/// findGrowthObstacle limits the memory that it may take. Then come less
/// memory, fewer instructions, and the smaller change of the text.
static auto preferenceOf(const Candidate &C) {
  const Layout &L = C.New;
  unsigned NumShifts = 0, Bits = 0, Shift = 0, Unit = 0, From = 0;
  for (const BitTerm &Term : L.Terms) {
    NumShifts += (Term.Shift != 0) + (Term.Factor != 1);
    Bits += Term.Bits;
    Shift += Term.Shift;
    Unit += llvm::Log2_32(Term.Factor);
    From += Term.From;
  }
  return std::tuple(C.Rank, C.Price != 0, C.Growth, C.Price, L.Kind, NumShifts,
                    Bits, From, Shift, Unit, L.RowPadding, L.Padding);
}

static void sortByPreference(std::vector<Candidate> &Candidates) {
  llvm::sort(Candidates, [](const Candidate &A, const Candidate &B) {
    auto Left = preferenceOf(A), Right = preferenceOf(B);
    return Left != Right ? Left < Right : A.New.Order < B.New.Order;
  });
}

std::vector<Candidate> LayoutCandidates::listCheap(LayoutChoice Choice) const {
  std::vector<Candidate> Result;
  if (WasPermuted)
    return Result;
  const bool IsAuto = Choice == LayoutChoice::Auto;
  for (auto [Rank, Row] : llvm::enumerate(Pitches)) {
    const bool IsOneRow = IsFlat && Row.Pitch == 0;
    if ((IsAuto || Choice == LayoutChoice::Pad) && !IsOneRow)
      addPads(Row.Pitch, Rank, Result);
    if (Choice == LayoutChoice::Pad)
      continue;
    if (IsAuto && !IsOneRow)
      addPermutations(Row.Pitch, Rank, Result);
    // Rows of a power of two that no subscript spells give nothing new: their
    // coordinates are bits of the position in the only row.
    if (Row.IsSpelled || IsOneRow || !llvm::isPowerOf2_64(Row.Pitch))
      addXors(Row.Pitch, Rank, Result);
  }
  if (IsAuto) {
    Layout Fields;
    Fields.Kind = Family::Fields;
    add(Fields, 0, Result);
  }
  sortByPreference(Result);
  return Result;
}

/// Returns the Xor layout without terms for rows of \p Pitch elements.
static Layout makeRows(uint64_t Pitch) {
  Layout Rows;
  Rows.Kind = Family::Xor;
  Rows.Pitch = Pitch;
  return Rows;
}

/// Adds the layouts that the solver finds for \p Rows, once for each chunk size
/// that is kept together: from the accesses that the compiler may merge down to
/// those that must stay together. Neither is always better, since merged
/// accesses have other conflicts.
void LayoutCandidates::addLinear(const Layout &Rows, size_t Rank,
                                 std::vector<Candidate> &Result,
                                 bool &IsProved) const {
  unsigned MaxCount = MaxChunk;
  for (const WeightedPattern &W : Judge.patterns())
    if (const LanePattern &P = *W.Pattern; !P.MemberStep)
      MaxCount = std::max(MaxCount, std::min(P.Count, WidestAccess / P.Width));
  const unsigned Merged = llvm::Log2_32(MaxCount);
  const unsigned Needed = llvm::Log2_32(MaxChunk);
  for (unsigned ChunkBits = Merged + 1; ChunkBits-- > Needed;) {
    std::optional<BitProblem> Problem = makeBitProblem(Judge, Rows, ChunkBits);
    if (!Problem)
      continue;
    BitSolutions Solutions = solve(*Problem);
    IsProved &= Solutions.IsProved;
    for (const BitSolution &S : Solutions.Best) {
      Layout New = Rows;
      New.Terms = S.Terms;
      add(New, Rank, Result);
    }
  }
}

std::vector<Candidate> LayoutCandidates::listLinear(bool &IsProved) const {
  std::vector<Candidate> Result;
  if (WasPermuted)
    return Result;
  for (auto [Rank, Row] : llvm::enumerate(Pitches)) {
    const bool IsOneRow = !IsFlat || Row.Pitch == 0;
    if (IsOneRow || (Row.IsSpelled && !llvm::isPowerOf2_64(Row.Pitch)))
      addLinear(makeRows(Row.Pitch), Rank, Result, IsProved);
  }
  sortByPreference(Result);
  return Result;
}

/// Returns true if the rows of \p Rows have an even length in all instances, so
/// that an xor can change at least the lowest bit of the column.
bool LayoutCandidates::hasEvenRows(const Layout &Rows) const {
  return llvm::all_of(Instances, [&](const ArrayInstance &I) {
    const uint64_t P = Rows.pitchOf(*I.Shape);
    return (P + Rows.Padding) % 2 == 0 && (!IsFlat || P % 2 == 0);
  });
}

/// Sorts \p Pads by their cost, the best first, and keeps only a few.
void LayoutCandidates::keepBest(std::vector<Candidate> &Pads) const {
  std::vector<std::tuple<double, double, size_t>> Scores;
  const uint64_t End = Judge.spent() + ProductBudget;
  for (auto [I, Pad] : llvm::enumerate(Pads))
    if (Judge.spent() < End) {
      const LayoutScore Score = Judge.score(Pad.New, LayoutScore());
      Scores.push_back({Score.Ratio, Score.Wavefronts, I});
    }
  llvm::sort(Scores);
  std::vector<Candidate> Best;
  for (auto [Ratio, Wavefronts, I] : ArrayRef(Scores).take_front(MaxProducts))
    Best.push_back(std::move(Pads[I]));
  Pads = std::move(Best);
}

// Trying terms for every padding would take too long; the paddings that are
// best by themselves are the starting points. Compared with the best padding
// without terms, the terms must save at least their price.
std::vector<Candidate> LayoutCandidates::listProducts(bool &IsProved) const {
  std::vector<Candidate> Result;
  if (WasPermuted)
    return Result;
  std::vector<Candidate> Pads;
  for (auto [Rank, Row] : llvm::enumerate(Pitches))
    if (!IsFlat || (Row.Pitch && isSpelled(Row.Pitch)))
      addPads(Row.Pitch, Rank, Pads);
  llvm::erase_if(Pads, [](const Candidate &C) { return !C.isAllowed(); });
  double Least = Judge.countAll(Layout()).Before;
  for (const Candidate &Pad : Pads)
    Least = std::min(Least, Judge.countAll(Pad.New).After);
  llvm::erase_if(Pads, [&](const Candidate &C) { return !hasEvenRows(C.New); });
  sortByPreference(Pads);
  const size_t NumPads = Pads.size();
  keepBest(Pads);
  IsProved &= Pads.size() == NumPads;
  for (Candidate &Pad : Pads) {
    Pad.New.Kind = Family::Xor;
    addLinear(Pad.New, Pad.Rank, Result, IsProved);
  }
  llvm::erase_if(Result, [&](const Candidate &C) {
    return Least - Judge.countAll(C.New).After <
           WavefrontsPerInstruction * C.Price * Judge.countRequests(C.New);
  });
  sortByPreference(Result);
  return Result;
}

std::vector<Candidate> LayoutCandidates::listRotations() const {
  std::vector<Candidate> Result;
  if (WasPermuted)
    return Result;
  for (auto [Rank, Row] : llvm::enumerate(Pitches)) {
    if (!Row.IsSpelled)
      continue;
    uint64_t Length = std::numeric_limits<uint64_t>::max();
    for (const ArrayInstance &I : Instances)
      Length = std::min(Length, IsFlat ? Row.Pitch : I.Shape->Extents.back());
    Layout New;
    New.Kind = Family::Rotate;
    New.Pitch = Row.Pitch;
    for (New.Step = 1; New.Step < Length; ++New.Step)
      add(New, Rank, Result);
  }
  return Result;
}

std::vector<Candidate> LayoutCandidates::listTransforms() const {
  std::vector<Candidate> Result;
  Layout New;
  New.Kind = Family::Transform;
  auto &[X, Y] = New.T;
  constexpr unsigned N = MaxFactor + 1;
  for (auto [Rank, Row] : llvm::enumerate(Pitches)) {
    if (IsFlat && Row.Pitch == 0)
      continue;
    New.Pitch = Row.Pitch;
    for (unsigned Code = 0; Code < N * N * N * N; ++Code) {
      X = {Code % N, Code / N % N};
      Y = {Code / N / N % N, Code / N / N / N};
      // A matrix that keeps rows or columns contiguous is a Pad or a Permute.
      const bool KeepsRow = X[0] == 1 && Y[0] == 0;
      const bool KeepsColumn = X[1] == 1 && Y[1] == 0;
      if (!KeepsRow && !KeepsColumn)
        add(New, Rank, Result);
    }
  }
  // Among those of equal size, the ones that keep rows within rows come first.
  llvm::sort(Result, [](const Candidate &A, const Candidate &B) {
    return std::tie(A.Rank, A.Growth, A.New.T[1][0], A.New.T) <
           std::tie(B.Rank, B.Growth, B.New.T[1][0], B.New.T);
  });
  return Result;
}

const LayoutCandidates::Step &LayoutCandidates::listStep(size_t Number) {
  while (Steps.size() <= Number) {
    Step New;
    switch (Steps.size()) {
    case 0:
      New.Members = listCheap(LayoutChoice::Auto);
      New.IsComplete = isComplete();
      break;
    case 1:
      New.Members = listLinear(New.IsComplete);
      break;
    case 2:
      New.Members = listProducts(New.IsComplete);
      break;
    default:
      New.Members = listRotations();
      break;
    }
    Steps.push_back(std::move(New));
  }
  return Steps[Number];
}
