// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The problem that shared-reuse solves: which `__shared__` variables of a
/// kernel may be moved, which of them interfere, and how many bytes a storage
/// takes. A kernel has one text for all instances; so a variable may be moved
/// only if it may be in every instance, and two variables interfere if they do
/// in any.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_REUSEPROBLEM_H
#define CUDAOPT_LIB_PASSES_STORAGE_REUSEPROBLEM_H

#include "cudaopt/Analysis/LiveRanges.h"
#include "cudaopt/Placement/Problem.h"
#include "cudaopt/Plan/Plan.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace cudaopt {

/// Whether a variable may be moved into a union.
struct Mobility {
  bool IsFixed = false;
  /// Why it is fixed; std::nullopt if it is not, or if moving it is merely not
  /// worth it.
  std::optional<Refusal> Refused = std::nullopt;
};

/// The analyses of one instance of the kernel. Variables have two numberings:
/// by VariableId of the instance's program, and by index into the problem's
/// variables, which is common to all instances.
struct ReuseInstance {
  SharedProgram Program;
  /// The live ranges; empty if fewer than two variables can be moved.
  LiveRanges Ranges;
  /// By VariableId: whether the variable may be moved into a union.
  std::vector<Mobility> Mobilities;
  /// By VariableId: the result of findWideAlignments.
  std::vector<unsigned> Wide;
  /// By variable of the problem; std::nullopt if this instance does not declare
  /// it.
  std::vector<std::optional<VariableId>> Ids;
};

/// A variable that is dead behind a barrier according to the live ranges.
struct DeadVariable {
  const clang::Stmt *Barrier;
  std::string Name; ///< The name by which the text at the barrier may use it.
};

/// The variable with the greatest alignment on which wide accesses of some
/// instance rely. If variables in front of it become smaller, they must do so
/// by a multiple of that alignment.
struct WideVariable {
  std::string Name;
  unsigned Alignment = 1;
};
/// Returns the instances of known launches, if some of \p Instances stand for
/// launches that are not known; else an empty vector. A pass that fails for all
/// instances asks whether it would succeed for these.
std::vector<ReuseInstance> listSeen(llvm::ArrayRef<ReuseInstance> Instances);

/// Returns \p R, or if that is std::nullopt, a refusal which says that launches
/// that are not known may run \p K.
Refusal orOpen(std::optional<Refusal> R, const Kernel &K, ArrayId Array);

WideVariable findWidest(llvm::ArrayRef<ReuseInstance> Instances);

/// Returns true if \p Array shrinks by a multiple of \p Alignment bytes, in
/// every instance, when it keeps only \p Rows rows.
bool keepsAligned(llvm::ArrayRef<ReuseInstance> Instances, ArrayId Array,
                  uint64_t Rows, unsigned Alignment);

/// The variables that may be moved, and their interference. A problem is a
/// value; the member functions `with...` return changed copies.
class ReuseProblem {
public:
  /// Makes the problem of \p K with all variables as the source declares them.
  /// Assumed instances are left out.
  explicit ReuseProblem(const Kernel &K);

  /// Returns the problem with the layouts \p New. The map is referred to, not
  /// copied: it must outlive the problem and its copies, and these see its
  /// changes.
  ReuseProblem withLayouts(const LayoutMap &New) const;
  /// Returns the problem without the arrays that \p New makes private, and with
  /// the arrays that it trims smaller.
  ReuseProblem with(const ReuseDecision &New) const;
  /// Returns the problem with a barrier in front of each statement of
  /// \p Places, in every instance. The live ranges are computed anew.
  ReuseProblem withBarriers(llvm::ArrayRef<const clang::Stmt *> Places) const;

  /// Why no variable can be moved; std::nullopt if some can.
  const std::optional<Refusal> &refused() const { return Refused; }
  const std::vector<StoredVariable> &variables() const { return Variables; }
  const std::vector<ReuseInstance> &instances() const { return Instances; }

  /// Returns true if the variables interfere in some instance.
  bool interfere(unsigned A, unsigned B) const;
  /// Finds the pairs of interfering variables that may share bytes in place
  /// (InPlaceProof.h), for mayShareInPlace(). Returns the pairs of which one
  /// dies where the other is born, but which must not, with the reasons.
  std::vector<StaysApart> findInPlace();
  /// Returns true if findInPlace has proved that \p A and \p B may begin at the
  /// same byte, and their current layouts do not spoil the proof.
  bool mayShareInPlace(unsigned A, unsigned B) const;
  /// Returns the size and alignment of each variable in \p I, with the current
  /// layouts; no bytes if I does not declare it.
  std::vector<PlacementItem> itemsOf(const ReuseInstance &I) const;
  /// Returns the placement problem of \p I in which a variable needs all of its
  /// bytes wherever any of them are busy.
  PlacementProblem placementOf(const ReuseInstance &I) const;
  /// Returns the placement problem of all instances at once in which a variable
  /// needs only those bytes that are busy. Offsets are then valid for one size
  /// of the variables only: std::nullopt if instances differ in sizes, or
  /// could.
  std::optional<PlacementProblem> placementOfParts() const;
  /// Is called with each variable that is stored on its own, or with each
  /// object and its first variable, and its offset and size in bytes.
  using PlaceReader = llvm::function_ref<void(VariableId, const StorageNode *,
                                              uint64_t Begin, uint64_t Size)>;
  /// Returns the static shared memory of a block of \p I, in bytes, if
  /// \p Objects are made. Calls \p Read for what is stored, if it is not null.
  uint64_t bytesOf(const ReuseInstance &I, llvm::ArrayRef<StorageNode> Objects,
                   PlaceReader Read = nullptr) const;
  /// Returns a variable of \p I that would lose the alignment on which wide
  /// accesses to it rely, if \p Objects are made; std::nullopt if none would.
  std::optional<VariableId>
  findMisaligned(const ReuseInstance &I,
                 llvm::ArrayRef<StorageNode> Objects) const;
  /// Returns the statements outside of loops in front of which a barrier can be
  /// inserted, in every instance.
  std::vector<const clang::Stmt *> barrierPlaces() const;
  /// Returns the variables that are dead behind a barrier of the kernel, in
  /// every instance, as far as they are visible there and another barrier can
  /// be inserted in front of it.
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
  const LayoutMap *Layouts = nullptr; ///< Null if all layouts are the source's.
  ReuseDecision Smaller; ///< Only its members Private and Trimmed are used.
  std::optional<Refusal> Refused;
  std::vector<StoredVariable> Variables;
  std::vector<ReuseInstance> Instances;
  std::vector<llvm::BitVector> Interference; ///< The matrix of interfere().
  /// By variable: the variables with which it may share bytes in place; empty
  /// before findInPlace().
  std::vector<llvm::BitVector> InPlace;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_REUSEPROBLEM_H
