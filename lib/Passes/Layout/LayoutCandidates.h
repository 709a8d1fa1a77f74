// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The candidates for the layout of an array: which layouts there are, what
/// they cost beside wavefronts (instructions and memory), and what forbids
/// them. Forbidden candidates are listed, too, so that reports can say why the
/// best layout was not taken.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCANDIDATES_H
#define CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCANDIDATES_H

#include "LayoutCost.h"

#include <vector>

namespace cudaopt {

/// The cost of an instruction in wavefronts: a multiprocessor issues several
/// instructions while its shared memory serves one wavefront, and some are
/// hoisted out of loops.
inline constexpr double WavefrontsPerInstruction = 0.125;

/// The bytes of the widest access. If an array grows by a multiple of them, the
/// arrays behind it keep their alignment.
inline constexpr unsigned WidestAccess = 16;

/// A valid layout of the array, and what speaks against it.
struct Candidate {
  Layout New;
  /// The bytes by which the array grows, in the instance where they are most.
  int64_t Growth;
  /// The rank of its row length (see listPitches): the author's come first.
  size_t Rank;
  /// The estimated number of instructions that it adds to an access.
  unsigned Price;
  /// The part of Price that an access does not pay whose subscript is written
  /// with the row length of New.
  unsigned FlatPrice;
  /// What forbids it; std::nullopt if it is allowed.
  std::optional<Refusal> Obstacle;

  bool isAllowed() const { return !Obstacle; }
  /// Returns true if the layout is allowed, or forbidden only by the memory
  /// that it needs if every array has bytes of its own.
  bool isAllowedInSharedBytes() const {
    return isAllowed() || Obstacle == Reason::TooLarge ||
           Obstacle == Reason::LosesOccupancy;
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
    /// False if a better member of the families may have been left out.
    bool IsComplete = true;
  };
  static constexpr size_t NumSteps = 4;
  /// Returns step \p Number of the families, which are in the order of their
  /// price: the cheap ones, Xor with any terms, products of Xor and Pad,
  /// rotations. A step is listed when first asked for, and kept: a second
  /// search with a narrower filter uses the same lists.
  const Step &listStep(size_t Number);

  /// Returns the members of the families Pad, Permute, Fields and Xor with one
  /// term (of these what \p Choice allows), sorted by preference at equal cost.
  std::vector<Candidate> listCheap(LayoutChoice Choice) const;
  /// Returns the best members of Xor with any terms. Clears \p IsProved if
  /// there may be better ones.
  std::vector<Candidate> listLinear(bool &IsProved) const;
  /// Returns the best members of Xor combined with Pad, for the paddings that
  /// are best without terms, if the terms save what they cost. Clears
  /// \p IsProved as above.
  std::vector<Candidate> listProducts(bool &IsProved) const;
  std::vector<Candidate> listRotations() const;
  /// Returns the members of Transform that belong to no other family, those
  /// that need least memory first.
  std::vector<Candidate> listTransforms() const;

  /// Returns true if the lists contain all layouts of the families. They do not
  /// for an array of one dimension, which can be seen as rows of any length,
  /// and for an array that is permuted already, for which nothing is listed.
  bool isComplete() const { return !IsFlat && !WasPermuted; }

private:
  /// A row length by which an array of one dimension is seen; 0 for one row.
  struct RowLength {
    uint64_t Pitch;
    bool IsSpelled; ///< True if some subscript is written with it.
  };
  void listPitches();
  std::vector<uint64_t> findStrides() const;
  bool isPermuted() const;

  /// Appends \p New unless it is not valid for the array in some instance.
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
  std::optional<Refusal> findObstacle(const Layout &New) const;
  std::optional<Refusal> findTextObstacle(const Layout &New) const;
  std::optional<Refusal> findAccessObstacle(const Layout &New,
                                            const ArrayInstance &I) const;
  std::optional<Refusal> findAlignmentObstacle(const Layout &New,
                                               const ArrayInstance &I) const;
  std::optional<Refusal> findGrowthObstacle(const Layout &New,
                                            const ArrayInstance &I) const;
  std::optional<Refusal> findOccupancyObstacle(const Layout &New,
                                               const ArrayInstance &I) const;
  Refusal atDeclaration(Reason Why, std::string Detail = "") const {
    return {Why, std::move(Detail), Array.Decl->getLocation()};
  }

  const Kernel &K;
  const ArrayId Id;
  const SharedArray &Array;
  const Target &T;
  const LayoutMap &Earlier; ///< The decisions on other arrays.
  LayoutJudge &Judge;
  llvm::ArrayRef<ArrayInstance> Instances;
  const bool IsFlat;        ///< True for an array of one dimension.
  bool WasPermuted = false; ///< The result of isPermuted().
  /// The result of findMovedMerged(), once it was asked for.
  mutable std::optional<std::optional<ArrayId>> MovedMerged;
  std::vector<Step> Steps; ///< The steps that were asked for so far.
  unsigned MaxChunk = 1;   ///< The greatest Access::Chunk of this array.
  unsigned PlaceBits = 0;  ///< A row of banks holds 2^PlaceBits elements.
  std::optional<Refusal> OutOfRow; ///< The result of findAccessOutOfRow().
  std::vector<RowLength> Pitches;  ///< The row lengths, likeliest first.
};

/// Returns the bytes by which the array grows; negative if it shrinks.
int64_t computeGrowth(const Layout &New, const ArrayShape &Shape);

/// Returns a refusal with the text of access \p A as its detail.
Refusal makeRefusal(Reason Why, const Access &A, const SharedArray &Array);

/// Returns a refusal for the first access to array \p Id whose inner subscripts
/// may leave their row: a layout that treats rows differently would redirect it
/// to another element. std::nullopt if all are proved to be in bounds.
std::optional<Refusal>
findAccessOutOfRow(llvm::ArrayRef<ArrayInstance> Instances, ArrayId Id,
                   const SharedArray &Array);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCANDIDATES_H
