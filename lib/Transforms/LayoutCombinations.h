// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The choice of a layout for each array of a kernel, all at once: what one
/// needs more may be hidden by another with which it shares bytes, or may be
/// what keeps a block from fitting.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_LAYOUTCOMBINATIONS_H
#define CUDAOPT_LIB_TRANSFORMS_LAYOUTCOMBINATIONS_H

#include "LayoutVariants.h"
#include "StorageWorth.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

class LayoutCombinations {
public:
  /// Of the arrays that \p Reuse leaves in shared memory, as large as they are.
  /// A block needs \p Room at least. \p Layouts are those of the arrays, and
  /// change.
  LayoutCombinations(const PassInput &In, const ReuseDecision &Reuse,
                     const BlockNeeds &Room, LayoutMap &Layouts);

  /// True if some array has a choice.
  bool hasChoice() const { return !Arrays.empty(); }

  /// Gives the arrays the best layouts: those of all combinations, or if these
  /// are too many of those that are met when one array is changed after the
  /// other.
  /// \p Judge says what storage these layouts allow. Returns the
  /// number of combinations if they were too many; else 0.
  uint64_t choose(llvm::function_ref<StorageWorth()> Judge);
  /// Gives the arrays the layouts that they had.
  void restore();
  /// Tells the truth of arrays that are kept because their layouts are too
  /// large beside those of the others: these may share bytes now.
  void explainKept(llvm::function_ref<StorageWorth()> Judge);
  /// True if some array has another decision than it had.
  bool hasReplaced() const;

private:
  struct Offer {
    ArrayId Array;
    LayoutDecision Decided;               ///< So far.
    std::vector<LayoutDecision> Variants; ///< Fewest wavefronts first.
    std::vector<uint64_t> Bytes;          ///< Of each, over all instances.
  };
  using Choice = llvm::SmallVector<unsigned, 8>; ///< By offer.

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
  std::vector<Offer> Arrays; ///< With two or more variants.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LAYOUTCOMBINATIONS_H
