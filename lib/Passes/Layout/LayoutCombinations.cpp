// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The search among combinations of layouts: exhaustive with a bound if they
/// are few, greedy otherwise.
//===----------------------------------------------------------------------===//

#include "LayoutCombinations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace cudaopt;

/// The number of combinations that are tried exhaustively. Each one costs a
/// search for a placement.
static constexpr uint64_t MaxCombinations = 64;

LayoutCombinations::LayoutCombinations(const PassInput &In,
                                       const ReuseDecision &Reuse,
                                       const BlockNeeds &Room,
                                       LayoutMap &Layouts)
    : K(In.K), T(In.T), Wanted(In.Options.Reuse), Layouts(Layouts) {
  for (ArrayId Id = 0; Id != K.Arrays.size(); ++Id)
    if (!K.Arrays[Id].IsExtern && !llvm::is_contained(Reuse.Private, Id) &&
        llvm::none_of(Reuse.Trimmed, [Id](const TrimmedArray &Each) {
          return Each.Array == Id;
        }))
      addOffer(Id, listLayoutVariants(In, Id, Layouts, Room));
}

uint64_t LayoutCombinations::bytesOf(ArrayId Id,
                                     const LayoutDecision &D) const {
  uint64_t Bytes = 0;
  for (const auto &Instance : K.Instances)
    if (const ArrayShape &Shape = Instance->Shapes[Id]; !Shape.Extents.empty())
      Bytes += D.New.bytes(Shape);
  return Bytes;
}

/// Returns true if \p D pays only if more warps fit on a multiprocessor than in
/// the source.
bool LayoutCombinations::mayWait(ArrayId Id, const LayoutDecision &D) const {
  return D.isRewritten() && findWaiting(K, Id, D.Effects, T).has_value();
}

/// Adds an offer of array \p Id, without dominated variants: those that another
/// variant surpasses or equals both in time and in bytes.
void LayoutCombinations::addOffer(ArrayId Id,
                                  std::vector<LayoutDecision> Variants) {
  if (Variants.size() < 2)
    return;
  Offer New = {Id, Variants.front(), {}, {}};
  llvm::sort(Variants, [&](const auto &A, const auto &B) {
    return std::tuple(A.Cost.After, A.Charge, bytesOf(Id, A)) <
           std::tuple(B.Cost.After, B.Charge, bytesOf(Id, B));
  });
  for (LayoutDecision &Each : Variants) {
    const uint64_t Bytes = bytesOf(Id, Each);
    const bool IsDominated =
        llvm::any_of(llvm::zip(New.Variants, New.Bytes), [&](auto &&Better) {
          const LayoutDecision &Other = std::get<0>(Better);
          return Other.Cost.After + Other.Charge <=
                     Each.Cost.After + Each.Charge &&
                 std::get<1>(Better) <= Bytes && !mayWait(Id, Other);
        });
    if (IsDominated)
      continue;
    New.Variants.push_back(std::move(Each));
    New.Bytes.push_back(Bytes);
  }
  if (New.Variants.size() > 1 || New.Variants.front().New != New.Decided.New)
    Arrays.push_back(std::move(New));
}

uint64_t LayoutCombinations::count() const {
  uint64_t Product = 1;
  for (const Offer &Each : Arrays)
    Product = llvm::SaturatingMultiply<uint64_t>(Product, Each.Variants.size());
  return Product;
}

LayoutCombinations::Choice LayoutCombinations::findSmallest() const {
  Choice Smallest;
  for (const Offer &Each : Arrays)
    Smallest.push_back(llvm::min_element(Each.Bytes) - Each.Bytes.begin());
  return Smallest;
}

double LayoutCombinations::wavefrontsOf(const Choice &C) const {
  double Sum = 0;
  for (auto [Each, Index] : llvm::zip_equal(Arrays, C))
    Sum += Each.Variants[Index].Cost.After;
  return Sum;
}

/// Returns all combinations, those of the fewest wavefronts first.
std::vector<LayoutCombinations::Choice> LayoutCombinations::listAll() const {
  std::vector<Choice> All = {{}};
  for (const Offer &Each : Arrays) {
    std::vector<Choice> Longer;
    for (const Choice &C : All)
      for (unsigned Index = 0; Index != Each.Variants.size(); ++Index) {
        Longer.push_back(C);
        Longer.back().push_back(Index);
      }
    All = std::move(Longer);
  }
  llvm::sort(All, [this](const Choice &A, const Choice &B) {
    return std::pair(wavefrontsOf(A), A) < std::pair(wavefrontsOf(B), B);
  });
  return All;
}

void LayoutCombinations::apply(const Choice &C) {
  for (auto [Each, Index] : llvm::zip_equal(Arrays, C))
    Layouts[Each.Array] = Each.Variants[Index];
}

void LayoutCombinations::restore() {
  for (const Offer &Each : Arrays)
    Layouts[Each.Array] = Each.Decided;
}

void LayoutCombinations::explainKept(llvm::function_ref<StorageWorth()> Judge) {
  for (const Offer &Each : Arrays) {
    LayoutDecision &Now = Layouts[Each.Array];
    if (Now.Refused != Reason::TooLarge)
      continue;
    const LayoutDecision Kept = std::exchange(Now, Each.Variants.front());
    const bool Fits = Judge().NumTooLarge == 0;
    Now = Kept;
    if (Fits)
      Now.Refused = {Reason::LosesOccupancy, "", Kept.Refused->Loc};
  }
}

/// Returns true if the decisions differ in the layout, or in the reason to keep
/// the array.
static bool areDifferent(const LayoutDecision &A, const LayoutDecision &B) {
  if (A.New != B.New || A.Refused.has_value() != B.Refused.has_value())
    return true;
  return A.Refused && A.Refused->Why != B.Refused->Why;
}

bool LayoutCombinations::hasReplaced() const {
  return llvm::any_of(Arrays, [&](const Offer &Each) {
    return areDifferent(Layouts.find(Each.Array)->second, Each.Decided);
  });
}

/// Tries all combinations in ascending order of wavefronts. A combination is at
/// best worth its wavefronts with the blocks of the smallest combination; as
/// soon as that does not beat the best one so far, neither do all later ones.
LayoutCombinations::Choice
LayoutCombinations::searchAll(llvm::function_ref<StorageWorth()> Judge) {
  Choice Best = findSmallest();
  apply(Best);
  StorageWorth Worth = Judge();
  // No combination leaves room for more blocks than the one of fewest bytes.
  const uint64_t MostBlocks = Worth.Blocks;
  const double Fixed = Worth.Wavefronts - wavefrontsOf(Best);
  for (const Choice &Each : listAll()) {
    StorageWorth AtBest = Worth;
    AtBest.Blocks = MostBlocks;
    AtBest.Wavefronts = Fixed + wavefrontsOf(Each);
    AtBest.Bytes = AtBest.CarveOut = 0;
    AtBest.Charge = 0;
    AtBest.Loses = false;
    AtBest.NumWaiting = 0;
    if (!AtBest.isBetterThan(Worth, Wanted))
      break;
    apply(Each);
    if (const StorageWorth Other = Judge(); Other.isBetterThan(Worth, Wanted)) {
      Worth = Other;
      Best = Each;
    }
  }
  return Best;
}

/// Starts with the combination of fewest bytes and chooses the best variant for
/// one array after the other, first for the array that can save most
/// wavefronts.
LayoutCombinations::Choice
LayoutCombinations::searchOneByOne(llvm::function_ref<StorageWorth()> Judge) {
  Choice Best = findSmallest();
  apply(Best);
  StorageWorth Worth = Judge();
  auto savedBy = [&](unsigned Number) {
    const Offer &Each = Arrays[Number];
    return Each.Variants.back().Cost.After - Each.Variants.front().Cost.After;
  };
  llvm::SmallVector<unsigned, 8> Order(Arrays.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    return std::pair(-savedBy(A), A) < std::pair(-savedBy(B), B);
  });
  for (unsigned Number : Order)
    for (unsigned Index = 0; Index != Arrays[Number].Variants.size(); ++Index) {
      Choice Other = Best;
      Other[Number] = Index;
      apply(Other);
      if (const StorageWorth New = Judge(); New.isBetterThan(Worth, Wanted)) {
        Worth = New;
        Best = std::move(Other);
      }
    }
  return Best;
}

uint64_t LayoutCombinations::choose(llvm::function_ref<StorageWorth()> Judge) {
  const uint64_t Number = count();
  const bool AreFew = Number <= MaxCombinations;
  apply(AreFew ? searchAll(Judge) : searchOneByOne(Judge));
  return AreFew ? 0 : Number;
}
