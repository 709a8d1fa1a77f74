// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a layout costs: the wavefronts and requests of all patterns of one
/// array in all instances of its kernel.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_LAYOUTCOST_H
#define CUDAOPT_LIB_TRANSFORMS_LAYOUTCOST_H

#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include <limits>
#include <vector>

namespace cudaopt {

/// An array in one instance that declares it.
struct ArrayInstance {
  const KernelInstance *Instance;
  const ArrayShape *Shape;
  AccessPatterns Accesses;
};

/// A pattern and what it costs as the array is declared: wavefronts and
/// requests per block.
struct WeightedPattern {
  const LanePattern *Pattern;
  size_t Instance; ///< Index into the instances.
  double Before, Bound, Requests;
  unsigned Group; ///< 0: of a known shape of the block; else an assumed one.
  size_t Number;  ///< In the order of first executions.
};

/// How good a layout is. What is known of the launches adds up. Of the assumed
/// shapes of the block one is true: the worst counts.
struct LayoutScore {
  double Ratio = std::numeric_limits<double>::infinity(); ///< To the bound.
  double Wavefronts = 0, Requests = 0;
  /// The assumed shape for which the layout is worse than none; 0 if there is
  /// none.
  unsigned WorseGroup = 0;

  bool isBetterThan(const LayoutScore &Other) const;
};

/// Counts layouts of one array.
class LayoutJudge {
public:
  LayoutJudge(llvm::ArrayRef<ArrayInstance> Instances, const BankMap &Map);

  /// Heaviest first.
  llvm::ArrayRef<WeightedPattern> patterns() const { return Patterns; }
  llvm::ArrayRef<ArrayInstance> instances() const { return Instances; }
  const BankMap &map() const { return Map; }
  /// The shape of the block that group \p Group assumes.
  const BlockShape &blockOf(unsigned Group) const {
    return *Assumed[Group - 1];
  }
  unsigned numAssumed() const { return Assumed.size(); }
  /// The bound on what is counted if group \p Group is true, or with 0 all of
  /// the known ones.
  double boundOf(unsigned Group) const;

  /// The score of the array as it is, counted over the searched patterns.
  const LayoutScore &identity() const { return Identity; }
  /// Scores \p L over the searched patterns; gives up (infinite ratio) once it
  /// is known that it is not better than \p Limit.
  LayoutScore score(const Layout &L, const LayoutScore &Limit);
  /// The wavefronts of all patterns under \p L, and their requests.
  Wavefronts countAll(const Layout &L);
  Wavefronts countAllSource(const Layout &L);
  double countRequests(const Layout &L);
  /// The same by instance.
  std::vector<BlockCost> countBlocks(const Layout &L);

  /// True if the searched patterns are all.
  bool isComplete() const { return NumSearched == Patterns.size(); }
  /// The patterns counted so far: a measure of time that is the same on all
  /// machines.
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
  size_t NumSearched = 0;
  std::vector<const BlockShape *> Assumed;
  LayoutScore Identity;
  uint64_t Spent = 0;

  /// By group: the bound, what identity needs, and the least that the layout
  /// that is counted needs.
  std::vector<double> BoundOf, BeforeOf, LeastOf;
  /// By instance and element: the place in the layout numbered Stamp.
  struct Memo {
    std::vector<uint32_t> Stamps;
    std::vector<uint32_t> Addresses;
  };
  std::vector<Memo> Memos;
  uint32_t Stamp = 0;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_LAYOUTCOST_H
