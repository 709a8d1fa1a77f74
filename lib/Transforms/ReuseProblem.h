// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which variables of a kernel may share bytes, in all of its instances at
/// once, and what a storage costs in each.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_REUSEPROBLEM_H
#define CUDAOPT_LIB_TRANSFORMS_REUSEPROBLEM_H

#include "cudaopt/Analysis/LiveRanges.h"
#include "cudaopt/Placement/Problem.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace cudaopt {

/// One instance of the kernel, analysed.
struct ReuseInstance {
  SharedProgram Program;
  LiveRanges Ranges; ///< If two variables or more can be moved.
  /// By VariableId: why it may not go into a union (None if it is only not
  /// worth it); nothing if it may.
  std::vector<std::optional<Blocker>> Obstacles;
  /// By VariableId: see findWideAlignments.
  std::vector<unsigned> Wide;
  /// By variable of the problem; nothing if this instance does not declare it.
  std::vector<std::optional<VariableId>> Ids;
};

/// A variable whose values nobody reads behind a barrier, as the analysis says.
struct DeadVariable {
  const clang::Stmt *Barrier;
  std::string Name; ///< Visible at the barrier.
};

/// What wide accesses of any instance rely on: whatever leaves shared memory in
/// front of the variable must be a multiple of its alignment.
struct WideVariable {
  std::string Name;
  unsigned Alignment = 1;
};
/// If some of \p Instances stand for launches that are not known: the others.
std::vector<ReuseInstance> listSeen(llvm::ArrayRef<ReuseInstance> Instances);

/// \p Why, or if that is none: that other launches than those of the file may
/// run \p K.
Blocker orOpen(Blocker Why, const Kernel &K, ArrayId Array);

WideVariable findWidest(llvm::ArrayRef<ReuseInstance> Instances);

/// True if what leaves shared memory when \p Array keeps only \p Rows rows is a
/// multiple of \p Alignment, in every instance.
bool keepsAligned(llvm::ArrayRef<ReuseInstance> Instances, ArrayId Array,
                  uint64_t Rows, unsigned Alignment);

/// The variables that may be stored elsewhere, and their interference in any
/// instance.
class ReuseProblem {
public:
  /// With all variables as they are.
  explicit ReuseProblem(const Kernel &K);

  /// The same with the layouts \p New, which outlive the problem and those
  /// that are made of it, and may change.
  ReuseProblem withLayouts(const LayoutMap &New) const;
  /// The same with the arrays that \p New makes private or smaller.
  ReuseProblem with(const ReuseDecision &New) const;
  /// The same with a barrier in front of each statement of \p Places, in every
  /// instance.
  ReuseProblem withBarriers(llvm::ArrayRef<const clang::Stmt *> Places) const;

  /// Why nothing can be moved; None if something can.
  const Blocker &refused() const { return Refused; }
  const std::vector<StoredVariable> &variables() const { return Variables; }
  const std::vector<ReuseInstance> &instances() const { return Instances; }

  /// True if some instance has both busy in one interval.
  bool interfere(unsigned A, unsigned B) const;
  /// Finds out which variables that interfere may share bytes all the same, as
  /// each thread overwrites what it alone has read; returns those that do not
  /// although the one dies where the other is born.
  std::vector<StaysApart> findInPlace();
  /// True if findInPlace has found that \p A and \p B may begin at the same
  /// byte, and they have layouts with which this holds.
  bool mayShareInPlace(unsigned A, unsigned B) const;
  /// What each variable needs in \p I, with the layouts that arrays have; no
  /// bytes if it is not declared there.
  std::vector<PlacementItem> itemsOf(const ReuseInstance &I) const;
  /// Variables need all of their bytes wherever they are busy.
  PlacementProblem placementOf(const ReuseInstance &I) const;
  /// The same for all instances at once with only those bytes of a variable
  /// that are busy; nothing if instances differ in the sizes of their
  /// variables, or could.
  std::optional<PlacementProblem> placementOfParts() const;
  /// Is told where a variable, or with its first variable an object, begins,
  /// and its bytes.
  using PlaceReader = llvm::function_ref<void(VariableId, const StorageNode *,
                                              uint64_t Begin, uint64_t Size)>;
  /// Static bytes of a block of \p I if \p Objects are made.
  uint64_t bytesOf(const ReuseInstance &I, llvm::ArrayRef<StorageNode> Objects,
                   PlaceReader Read = nullptr) const;
  /// A variable of \p I that would lose the alignment that wide accesses to it
  /// rely on, if \p Objects are made.
  std::optional<VariableId>
  findMisaligned(const ReuseInstance &I,
                 llvm::ArrayRef<StorageNode> Objects) const;
  /// The statements in front of which a barrier could stand, in every instance.
  std::vector<const clang::Stmt *> barrierPlaces() const;
  /// The variables that are dead behind a barrier of the kernel, in every
  /// instance; if another could stand in front of it, and sees them.
  std::vector<DeadVariable> deadVariables() const;

private:
  void findVariables();
  void findInterference();
  PlacementItem itemOf(const ReuseInstance &I, VariableId Id) const;
  const Layout *findLayout(const SharedVariable &V) const;
  bool isLaidOut(const SharedVariable &V) const { return findLayout(V); }
  bool haveSamePlaces(const ReuseInstance &I, VariableId A, VariableId B) const;
  bool isPrivate(const SharedVariable &V) const;

  const Kernel &K;
  const LayoutMap *Layouts = nullptr; ///< Null if none is new.
  ReuseDecision Smaller;              ///< Private and Trimmed.
  Blocker Refused;
  std::vector<StoredVariable> Variables;
  std::vector<ReuseInstance> Instances;
  std::vector<llvm::BitVector> Interference; ///< By variable.
  /// By variable: with which it may share bytes in place; empty before
  /// findInPlace.
  std::vector<llvm::BitVector> InPlace;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_REUSEPROBLEM_H
