// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cost of a layout: the wavefronts and requests of all patterns of one
/// array in all instances of its kernel. The LayoutJudge collects the patterns
/// once and then counts any number of layouts.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCOST_H
#define CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCOST_H

#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Plan/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include <limits>
#include <vector>

namespace cudaopt {

/// An array in an instance that declares it, and its patterns there.
struct ArrayInstance {
  const KernelInstance *Instance;
  const ArrayShape *Shape;
  AccessPatterns Accesses;
};

/// A pattern and its cost with the array as it is declared: wavefronts (and
/// their lower bound) and requests per block.
struct WeightedPattern {
  const LanePattern *Pattern;
  size_t Instance; ///< The index of its instance.
  double Before, Bound, Requests;
  /// 0 for a pattern of an instance whose block is known; else the number of
  /// the assumed shape of the block to which it belongs.
  unsigned Group;
  size_t Number; ///< Its number in the order of first executions.
};

/// The quality of a layout; smaller is better in every respect. The known
/// launches all happen, so that their costs add up. Of the assumed shapes of
/// the block only one is true; the worst one counts.
struct LayoutScore {
  /// The wavefronts, relative to their lower bound.
  double Ratio = std::numeric_limits<double>::infinity();
  double Wavefronts = 0, Requests = 0;
  /// The number of an assumed shape for which the layout is worse than the
  /// declared one; 0 if there is none.
  unsigned WorseGroup = 0;

  /// Compares ratio, wavefronts and requests, in this order.
  bool isBetterThan(const LayoutScore &Other) const;
};

/// Counts layouts of one array.
class LayoutJudge {
public:
  LayoutJudge(llvm::ArrayRef<ArrayInstance> Instances, const BankMap &Map);

  /// The patterns of all instances, the heaviest first.
  llvm::ArrayRef<WeightedPattern> patterns() const { return Patterns; }
  llvm::ArrayRef<ArrayInstance> instances() const { return Instances; }
  const BankMap &map() const { return Map; }
  /// Returns the shape of the block that group \p Group, not 0, assumes.
  const BlockShape &blockOf(unsigned Group) const {
    return *Assumed[Group - 1];
  }
  unsigned numAssumed() const { return Assumed.size(); }
  /// Returns the lower bound of the wavefronts if the shape of group \p Group
  /// is the true one, the known launches included; with 0, of these only.
  double boundOf(unsigned Group) const;

  /// The score of the array as it is declared, over the searched patterns.
  const LayoutScore &identity() const { return Identity; }
  /// Scores \p L over the searched patterns, which are the heaviest ones. Gives
  /// up, and returns an infinite ratio, once it is clear that L is not better
  /// than \p Limit.
  LayoutScore score(const Layout &L, const LayoutScore &Limit);
  /// Returns the wavefronts of all patterns: as declared, under \p L, and their
  /// bound, with accesses merged as the compiler does.
  Wavefronts countAll(const Layout &L);
  /// The same with accesses as the source has them.
  Wavefronts countAllSource(const Layout &L);
  /// Returns the requests of all patterns under \p L.
  double countRequests(const Layout &L);
  /// Returns wavefronts and requests under \p L for each instance.
  std::vector<BlockCost> countBlocks(const Layout &L);

  /// Returns true if the searched patterns are all patterns.
  bool isComplete() const { return NumSearched == Patterns.size(); }
  /// The number of patterns counted so far: a measure of effort that is the
  /// same on all machines.
  uint64_t spent() const { return Spent; }

private:
  /// Byte addresses under one layout, computed when first asked for.
  class Places;
  PatternCost count(const Layout &L, const WeightedPattern &P);
  unsigned findGroup(const BlockShape &Block);
  void addInstance(size_t Number);
  double findRatio() const;
  bool isHopeless(const LayoutScore &Limit, double Wavefronts) const;

  std::vector<ArrayInstance> Instances;
  BankMap Map;
  std::vector<WeightedPattern> Patterns;
  size_t NumSearched = 0; ///< The number of patterns that score() counts.
  /// The assumed shapes of the block; group G assumes Assumed[G - 1].
  std::vector<const BlockShape *> Assumed;
  LayoutScore Identity;
  uint64_t Spent = 0;

  /// By group, wavefronts: the lower bound, the declared layout's, and the
  /// least that the layout being counted needs, as far as it is counted.
  std::vector<double> BoundOf, BeforeOf, LeastOf;
  /// The cache of addresses of one instance, by element. An entry is valid if
  /// its stamp is that of the layout being counted; so nothing needs clearing.
  struct Memo {
    std::vector<uint32_t> Stamps;
    std::vector<uint32_t> Addresses;
  };
  std::vector<Memo> Memos;
  uint32_t Stamp = 0;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_LAYOUT_LAYOUTCOST_H
