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
  /// Of the arrays of \p K that \p Reuse leaves in shared memory, as large as
  /// they are. A block needs \p Room at least.
  LayoutCombinations(const Kernel &K, const Target &T,
                     const PassOptions &Options, const ReuseDecision &Reuse,
                     const BlockNeeds &Room, Plan &P);

  /// True if some array has a choice.
  bool hasChoice() const { return !Arrays.empty(); }

  /// Gives \p P the best layouts: those of all combinations, or if these are
  /// too many of those that are met when one array is changed after the other.
  /// \p Judge says what storage the layouts of the plan allow. Returns the
  /// number of combinations if they were too many; else 0.
  uint64_t choose(llvm::function_ref<StorageWorth()> Judge);
  /// Gives \p P the layouts that it had.
  void restore();
  /// Tells the truth of arrays that the plan keeps because their layouts are
  /// too large beside those of the others: these may share bytes now.
  void explainKept(llvm::function_ref<StorageWorth()> Judge);
  /// The decisions that it had where it has others now.
  llvm::MapVector<ArrayId, LayoutDecision> listReplaced() const;

private:
  struct Offer {
    ArrayId Array;
    LayoutDecision Decided;               ///< In the plan so far.
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
  Plan &P;
  std::vector<Offer> Arrays; ///< With two or more variants.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LAYOUTCOMBINATIONS_H
