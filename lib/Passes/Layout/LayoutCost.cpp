// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the addresses of the lanes of patterns under a layout, and counts.
//===----------------------------------------------------------------------===//

#include "LayoutCost.h"

#include "cudaopt/Plan/BlockCount.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <utility>

using namespace cudaopt;
using llvm::ArrayRef;

/// The search scores no more patterns than these; the final figures are counted
/// over all.
static constexpr size_t MaxSearched = 4096;
/// Sums that differ by no more than this factor are equal.
static constexpr double Tolerance = 1e-9;

static bool isLess(double A, double B) { return A < B * (1 - Tolerance); }

bool LayoutScore::isBetterThan(const LayoutScore &Other) const {
  if (isLess(Ratio, Other.Ratio) || isLess(Other.Ratio, Ratio))
    return Ratio < Other.Ratio;
  if (isLess(Wavefronts, Other.Wavefronts) ||
      isLess(Other.Wavefronts, Wavefronts))
    return Wavefronts < Other.Wavefronts;
  return isLess(Requests, Other.Requests);
}

/// The address function of countPattern() for one layout and instance, with a
/// cache: many patterns access the same elements.
class LayoutJudge::Places {
public:
  Places(LayoutJudge &Judge, const Layout &L, size_t Instance)
      : L(L), Shape(*Judge.Instances[Instance].Shape),
        Table(Judge.Memos[Instance]), Stamp(Judge.Stamp) {}

  uint64_t operator()(uint32_t Element, unsigned Offset) const {
    if (L.Kind == Layout::Family::Fields)
      return L.address(Element, Offset, Shape);
    if (Table.Stamps[Element] != Stamp) {
      Table.Stamps[Element] = Stamp;
      Table.Addresses[Element] = L.apply(Element, Shape) * Shape.ElementSize;
    }
    return Table.Addresses[Element] + Offset;
  }

private:
  const Layout &L;
  const ArrayShape &Shape;
  Memo &Table;
  uint32_t Stamp;
};

/// Returns how many accesses of \p P the compiler can merge at most if the
/// subscripts of an array of \p Dimensions dimensions are written for \p L. It
/// must see from the text that they are neighbours (ColumnSum.h):
///
///   s[r][(t ^ f) + k], s[i + (t >> 5)]    merged: k is a number, t the rest
///   s[i ^ f(i)], (c + k r) mod P          not merged
static unsigned findMaxMerged(const Layout &L, const LanePattern &P,
                              size_t Dimensions) {
  constexpr unsigned Any = 16;
  if (P.MemberStep)
    return Any; // Members of one element.
  // The text of rows of other lengths than the layout's is taken apart by
  // division, where the parts of the column are not found again.
  const bool HasColumn = Dimensions > 1 || !P.Pitch || L.Pitch == P.Pitch;
  switch (L.Kind) {
  case Layout::Family::Identity:
  case Layout::Family::Fields:
    return Any;
  case Layout::Family::Rotate:
    return 1;
  case Layout::Family::Xor:
    return HasColumn ? P.KeptChunk : 1;
  case Layout::Family::Pad:
    if (Dimensions == 1 && !P.Pitch)
      return P.KeptChunk;
    [[fallthrough]];
  case Layout::Family::Permute:
  case Layout::Family::Transform:
    return Dimensions > 1 || (L.Pitch && L.Pitch == P.Pitch) ? Any : 1;
  }
  llvm_unreachable("unknown family");
}

PatternCost LayoutJudge::count(const Layout &L, const WeightedPattern &P) {
  const size_t Dimensions = Instances[P.Instance].Shape->Extents.size();
  return countPattern(Map, *P.Pattern, Places(*this, L, P.Instance),
                      findMaxMerged(L, *P.Pattern, Dimensions));
}

LayoutJudge::LayoutJudge(ArrayRef<ArrayInstance> TheInstances,
                         const BankMap &Map)
    : Instances(TheInstances.begin(), TheInstances.end()), Map(Map), BoundOf(1),
      BeforeOf(1), LeastOf(1), Memos(Instances.size()) {
  for (auto [I, Table] : llvm::zip_equal(Instances, Memos)) {
    const size_t Size = I.Shape->numElements();
    Table.Stamps.resize(Size);
    Table.Addresses.resize(Size);
  }
  Stamp = 1;
  for (size_t I = 0; I < Instances.size(); ++I)
    addInstance(I);
  llvm::sort(Patterns, [](const WeightedPattern &A, const WeightedPattern &B) {
    return std::pair(-A.Before, A.Number) < std::pair(-B.Before, B.Number);
  });

  NumSearched = std::min(MaxSearched, Patterns.size());
  for (const WeightedPattern &P : ArrayRef(Patterns).take_front(NumSearched)) {
    BoundOf[P.Group] += P.Bound;
    BeforeOf[P.Group] += P.Before;
    Identity.Wavefronts += P.Before;
    Identity.Requests += P.Requests;
  }
  LeastOf = BeforeOf;
  Identity.Ratio = findRatio();
}

/// Returns the group of an instance with \p Block; a new one for an assumed
/// shape that was not seen before.
unsigned LayoutJudge::findGroup(const BlockShape &Block) {
  if (Block.Origin != ShapeOrigin::Assumed)
    return 0;
  auto Known = llvm::find_if(Assumed, [&](const BlockShape *Other) {
    return Other->Threads == Block.Threads;
  });
  const unsigned Group = Known - Assumed.begin() + 1;
  if (Known == Assumed.end()) {
    Assumed.push_back(&Block);
    BoundOf.push_back(0);
    BeforeOf.push_back(0);
  }
  return Group;
}

void LayoutJudge::addInstance(size_t Number) {
  const ArrayInstance &I = Instances[Number];
  const unsigned Group = findGroup(I.Instance->Block);
  const Layout None;
  const Places Declared(*this, None, Number);
  for (const LanePattern &P : I.Accesses.Patterns) {
    const PatternCost Cost = countPattern(Map, P, Declared);
    const unsigned Bound = boundPattern(Map, P, I.Shape->ElementSize);
    Patterns.push_back({&P, Number, P.Weight * Cost.Wavefronts,
                        P.Weight * Bound, P.Weight * Cost.Requests, Group,
                        Patterns.size()});
  }
}

double LayoutJudge::boundOf(unsigned Group) const {
  return BoundOf[0] + (Group ? BoundOf[Group] : 0);
}

/// Returns the ratio of LeastOf to the bound, for the assumed shape for which
/// it is worst.
double LayoutJudge::findRatio() const {
  if (Assumed.empty())
    return BoundOf[0] > 0 ? LeastOf[0] / BoundOf[0] : 1;
  double Worst = 0;
  for (unsigned Group = 1; Group < LeastOf.size(); ++Group)
    if (double Bound = boundOf(Group); Bound > 0)
      Worst = std::max(Worst, (LeastOf[0] + LeastOf[Group]) / Bound);
  return Worst;
}

/// Returns true if the layout being counted cannot be better than \p Limit,
/// whatever the patterns cost that have not been counted yet. \p Wavefronts is
/// its total so far, with these at their bound.
bool LayoutJudge::isHopeless(const LayoutScore &Limit,
                             double Wavefronts) const {
  const double Ratio = findRatio();
  return isLess(Limit.Ratio, Ratio) ||
         (!isLess(Ratio, Limit.Ratio) && isLess(Limit.Wavefronts, Wavefronts));
}

// All sums start at the lower bound and only grow by what a pattern needs
// beyond its bound, so that they are lower bounds of the result at any time.
LayoutScore LayoutJudge::score(const Layout &L, const LayoutScore &Limit) {
  ++Stamp;
  LeastOf = BoundOf;
  LayoutScore Result;
  for (double Bound : BoundOf)
    Result.Wavefronts += Bound;
  for (const WeightedPattern &P : ArrayRef(Patterns).take_front(NumSearched)) {
    const PatternCost Cost = count(L, P);
    ++Spent;
    Result.Requests += P.Pattern->Weight * Cost.Requests;
    const double Excess = P.Pattern->Weight * Cost.Wavefronts - P.Bound;
    if (Excess <= 0)
      continue;
    LeastOf[P.Group] += Excess;
    Result.Wavefronts += Excess;
    if (isHopeless(Limit, Result.Wavefronts))
      return {};
  }
  Result.Ratio = findRatio();
  for (unsigned Group = 1; Group < LeastOf.size(); ++Group)
    if (isLess(BeforeOf[0] + BeforeOf[Group], LeastOf[0] + LeastOf[Group]))
      Result.WorseGroup = Group;
  return Result;
}

Wavefronts LayoutJudge::countAll(const Layout &L) {
  ++Stamp;
  Wavefronts Sum;
  for (const WeightedPattern &P : Patterns) {
    Sum.Before += P.Before;
    Sum.Bound += P.Bound;
    Sum.After += P.Pattern->Weight * count(L, P).Wavefronts;
  }
  return Sum;
}

Wavefronts LayoutJudge::countAllSource(const Layout &L) {
  Wavefronts Sum;
  const Layout None;
  auto Count = [&](const Layout &Counted, double &Into) {
    ++Stamp;
    for (const WeightedPattern &P : Patterns)
      Into += P.Pattern->SourceWeight *
              countSourcePattern(Map, *P.Pattern,
                                 Places(*this, Counted, P.Instance))
                  .Wavefronts;
  };
  Count(None, Sum.Before);
  Count(L, Sum.After);
  for (const WeightedPattern &P : Patterns) {
    LanePattern Single = *P.Pattern;
    Single.Count = 1;
    const unsigned Size = Instances[P.Instance].Shape->ElementSize;
    for (unsigned First = 0; First < P.Pattern->Count; ++First) {
      Sum.Bound += P.Pattern->SourceWeight * boundPattern(Map, Single, Size);
      Single.Offset += Single.MemberStep;
      if (!Single.MemberStep)
        for (uint32_t &Element : Single.Elements)
          ++Element;
    }
  }
  return Sum;
}

std::vector<BlockCost> LayoutJudge::countBlocks(const Layout &L) {
  ++Stamp;
  std::vector<BlockCost> Result(Instances.size());
  for (const WeightedPattern &P : Patterns) {
    const PatternCost Cost = count(L, P);
    const double Weight = P.Pattern->Weight;
    BlockCost &Block = Result[P.Instance];
    Block.Wavefronts += Weight * Cost.Wavefronts;
    Block.Requests += Weight * Cost.Requests;
    if (P.Pattern->Pitch == L.Pitch)
      Block.Spelled += Weight * Cost.Requests;
  }
  return Result;
}

double LayoutJudge::countRequests(const Layout &L) {
  double Sum = 0;
  for (const BlockCost &Block : countBlocks(L))
    Sum += Block.Requests;
  return Sum;
}

BlockKnowledge cudaopt::findKnowledge(const KernelInstance &I) {
  if (!I.Block.isKnown() || I.Block.IsUnseen)
    return BlockKnowledge::None;
  return I.Block.Origin == ShapeOrigin::Assumed ? BlockKnowledge::Assumed
                                                : BlockKnowledge::Seen;
}

BlockCount cudaopt::countBlock(const KernelInstance &I, ArrayId Array,
                               const Layout &New, const BankMap &Map) {
  const ArrayInstance Only = {&I, &I.Shapes[Array], collectPatterns(I, Array)};
  LayoutJudge Judge(Only, Map);
  return {Judge.countAll(New), !Only.Accesses.Patterns.empty(),
          Only.Accesses.NumUncounted, Only.Accesses.IsExact};
}
