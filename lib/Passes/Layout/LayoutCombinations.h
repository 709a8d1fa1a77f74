// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The choice of layouts for all arrays of a kernel at once. Where arrays share
/// bytes, the best layout of one depends on those of the others: padding of a
/// small array may be free, since it shares bytes with a larger one; or it may
/// be the one that keeps another block from fitting. So combinations of
/// layouts are tried, and the best storage of each is searched.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCOMBINATIONS_H
#define CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCOMBINATIONS_H

#include "LayoutVariants.h"
#include "Storage/StorageWorth.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// The arrays of a kernel that have several layouts to choose from.
class LayoutCombinations {
public:
  /// Considers the arrays that \p Reuse leaves in shared memory untrimmed.
  /// \p Room is what a block needs at least. \p Layouts holds the current
  /// layouts; the member functions change it.
  LayoutCombinations(const PassInput &In, const ReuseDecision &Reuse,
                     const BlockNeeds &Room, LayoutMap &Layouts);

  /// Returns true if some array has a choice.
  bool hasChoice() const { return !Arrays.empty(); }

  /// Sets Layouts to the best combination: of all combinations, or if these are
  /// too many, of those that are met when one array is changed after the other.
  /// \p Judge returns the worth of the best storage with the layouts that
  /// Layouts holds when it is called. Returns the number of combinations if
  /// they were too many; else 0.
  uint64_t choose(llvm::function_ref<StorageWorth()> Judge);
  /// Sets Layouts back to what the arrays had at first.
  void restore();
  /// Corrects the reason of arrays that were kept because their layouts were
  /// too large beside those of the others. If these share bytes now, so that
  /// the layout would fit, the reason is the occupancy that it would cost.
  void explainKept(llvm::function_ref<StorageWorth()> Judge);
  /// Returns true if some array has another layout, or another reason to keep
  /// its own, than at first.
  bool hasReplaced() const;

private:
  /// An array and the layouts that it may get.
  struct Offer {
    ArrayId Array;
    LayoutDecision Decided;               ///< The decision at first.
    std::vector<LayoutDecision> Variants; ///< Fewest wavefronts first.
    /// The bytes of each variant, summed over all instances.
    std::vector<uint64_t> Bytes;
  };
  /// A combination: the index of a variant for each offer.
  using Choice = llvm::SmallVector<unsigned, 8>;

  void addOffer(ArrayId Id, std::vector<LayoutDecision> Variants);
  bool mayWait(ArrayId Id, const LayoutDecision &D) const;
  uint64_t bytesOf(ArrayId Id, const LayoutDecision &D) const;
  uint64_t count() const;
  Choice findSmallest() const;
  std::vector<Choice> listAll() const;
  double wavefrontsOf(const Choice &C) const;
  void apply(const Choice &C);
  Choice searchAll(llvm::function_ref<StorageWorth()> Judge);
  Choice searchOneByOne(llvm::function_ref<StorageWorth()> Judge);

  const Kernel &K;
  const Target &T;
  const ReuseChoice Wanted;
  LayoutMap &Layouts;
  std::vector<Offer> Arrays; ///< The arrays that have a choice.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCOMBINATIONS_H
