// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which layouts an array may have, what they cost besides wavefronts, and what
/// forbids them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_LAYOUTCANDIDATES_H
#define CUDAOPT_LIB_TRANSFORMS_LAYOUTCANDIDATES_H

#include "LayoutCost.h"

#include <vector>

namespace cudaopt {

/// What an instruction costs: a multiprocessor issues several of them while its
/// shared memory serves one wavefront, and some are taken out of loops.
inline constexpr double WavefrontsPerInstruction = 0.125;

/// Bytes of the widest access: an array that grows by a multiple of them leaves
/// those behind it as they are aligned.
inline constexpr unsigned WidestAccess = 16;

/// A layout that would be correct if nothing forbade it.
struct Candidate {
  Layout New;
  int64_t Growth; ///< Bytes, in the instance where it is greatest.
  size_t Rank;    ///< Of the way to see rows: the author's are the first.
  unsigned Price; ///< Instructions that an access gets, estimated.
  /// As many of them an access does without that spells the rows of New.
  unsigned FlatPrice;
  Blocker Obstacle; ///< What forbids it.

  bool isAllowed() const { return Obstacle.Why == Reason::None; }
  /// True if nothing forbids it but that each array has bytes of its own.
  bool isAllowedInSharedBytes() const {
    return isAllowed() || Obstacle.Why == Reason::TooLarge ||
           Obstacle.Why == Reason::LosesOccupancy;
  }
};

/// Lists the layouts of one array.
class LayoutCandidates {
public:
  LayoutCandidates(const Kernel &K, ArrayId Id, const Target &T,
                   const LayoutMap &Earlier, LayoutJudge &Judge);

  /// Families that a search looks at together.
  struct Step {
    std::vector<Candidate> Members;
    bool IsComplete = true; ///< None that is better was left out.
  };
  static constexpr size_t NumSteps = 4;
  /// All families, in the order of their price. They are listed once, when they
  /// are asked for: a search that allows fewer layouts has the same.
  const Step &listStep(size_t Number);

  /// The members of the families Pad, Permute, Fields and Xor with one term (of
  /// these what \p Choice allows), those to be preferred at equal cost first.
  std::vector<Candidate> listCheap(LayoutChoice Choice) const;
  /// The best members of Xor with any terms. Clears \p IsProved if there may be
  /// better ones.
  std::vector<Candidate> listLinear(bool &IsProved) const;
  /// The best members of Xor in longer rows, or with more rows in a plane, for
  /// the paddings that are best without terms, if the terms save what they
  /// cost. Clears \p IsProved as above.
  std::vector<Candidate> listProducts(bool &IsProved) const;
  std::vector<Candidate> listRotations() const;
  /// The mappings of document 000 that belong to no other family, those that
  /// need least memory first.
  std::vector<Candidate> listTransforms() const;

  /// True if all layouts of the families are listed: an array of one dimension
  /// can be seen as rows of any length, and nothing is listed for one that is
  /// permuted already.
  bool isComplete() const { return !IsFlat && !WasPermuted; }

private:
  struct RowLength {
    uint64_t Pitch;
    bool IsSpelled; ///< Some subscript is written with it.
  };
  void listPitches();
  std::vector<uint64_t> findStrides() const;
  bool isPermuted() const;

  /// Appends \p New unless it is no layout of the array.
  void add(const Layout &New, size_t Rank,
           std::vector<Candidate> &Result) const;
  void addPads(uint64_t Pitch, size_t Rank,
               std::vector<Candidate> &Result) const;
  void addPermutations(uint64_t Pitch, size_t Rank,
                       std::vector<Candidate> &Result) const;
  void addXors(uint64_t Pitch, size_t Rank,
               std::vector<Candidate> &Result) const;
  void addLinear(const Layout &Rows, size_t Rank,
                 std::vector<Candidate> &Result, bool &IsProved) const;
  void keepBest(std::vector<Candidate> &Pads) const;
  bool hasEvenRows(const Layout &Rows) const;
  unsigned findMaxPadding() const;
  bool isMuch(const Layout &New) const;

  std::optional<ArrayId> findMovedMerged() const;
  bool hasOneText(const Layout &New) const;
  unsigned priceOf(const Layout &New) const;
  unsigned flatPriceOf(const Layout &New) const;
  bool isSpelled(uint64_t Pitch) const;
  bool changesDeclaration(const Layout &New) const;
  Blocker findObstacle(const Layout &New) const;
  Blocker findTextObstacle(const Layout &New) const;
  Blocker findAccessObstacle(const Layout &New, const ArrayInstance &I) const;
  Blocker findAlignmentObstacle(const Layout &New,
                                const ArrayInstance &I) const;
  Blocker findGrowthObstacle(const Layout &New, const ArrayInstance &I) const;
  Blocker findOccupancyObstacle(const Layout &New,
                                const ArrayInstance &I) const;
  Blocker atDeclaration(Reason Why, std::string Detail = "") const {
    return {Why, std::move(Detail), Array.Decl->getLocation()};
  }

  const Kernel &K;
  const ArrayId Id;
  const SharedArray &Array;
  const Target &T;
  const LayoutMap &Earlier; ///< Decisions for other arrays.
  LayoutJudge &Judge;
  llvm::ArrayRef<ArrayInstance> Instances;
  const bool IsFlat; ///< Of one dimension.
  bool WasPermuted = false;
  /// See findMovedMerged; computed when asked for.
  mutable std::optional<std::optional<ArrayId>> MovedMerged;
  std::vector<Step> Steps; ///< Those that were asked for.
  unsigned MaxChunk = 1;   ///< Of the accesses to this array.
  unsigned PlaceBits = 0;  ///< A row of banks holds 2^PlaceBits elements.
  Blocker OutOfRow;        ///< See findAccessOutOfRow.
  std::vector<RowLength> Pitches;
};

/// Bytes by which the array grows; negative if it shrinks.
int64_t computeGrowth(const Layout &New, const ArrayShape &Shape);

/// The text of access \p A as a reason's detail.
Blocker makeBlocker(Reason Why, const Access &A, const SharedArray &Array);

/// The first access to array \p Id whose subscripts may leave their row:
/// layouts that tell rows apart would take it to another element than before.
Blocker findAccessOutOfRow(llvm::ArrayRef<ArrayInstance> Instances, ArrayId Id,
                           const SharedArray &Array);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LAYOUTCANDIDATES_H
