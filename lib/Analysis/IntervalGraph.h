// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The barrier intervals of a kernel as edges of a graph: what threads execute
/// between two barriers of the block that follow each other.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_INTERVALGRAPH_H
#define CUDAOPT_LIB_ANALYSIS_INTERVALGRAPH_H

#include "cudaopt/Analysis/LiveRanges.h"

#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace cudaopt {

/// All that is reachable from a barrier, or the entry, without crossing another
/// barrier. The intervals that begin at the barrier share it.
struct Region {
  StepId Begin;
  std::vector<StepId> Steps; ///< In reverse post-order, without barriers.
  std::vector<StepId> Ends;  ///< The barriers that are reached, sorted.
  /// By index into Steps: the steps on a path to the exit (or into an endless
  /// loop without a barrier), and those on a path to a step where threads may
  /// leave the kernel while others go on.
  llvm::BitVector MayReturn, MayLeave;
};

/// A barrier interval as an edge of the graph whose nodes are the regions.
struct Edge {
  unsigned From;
  std::optional<unsigned> To; ///< std::nullopt for the exit.
  /// The steps whose accesses may happen in the interval: those on the paths to
  /// its end, those of threads that return meanwhile, and the barrier itself.
  std::vector<StepId> Steps;
};

/// The barrier intervals of a program.
class IntervalGraph {
public:
  explicit IntervalGraph(const SharedProgram &P);

  const SharedProgram &P;
  std::vector<Region> Regions;
  std::vector<Edge> Edges;
  /// Parallel to Edges; their sets Busy, Needed and Kept are still empty.
  std::vector<LiveInterval> Intervals;

private:
  void addRegion(StepId Begin);
  void addEdges(unsigned From);
  /// Returns the steps of \p R, by index, from which a path inside of R leads
  /// to a step in \p Seeds or to the barrier \p End; the seeds are included.
  llvm::BitVector findWays(const Region &R, llvm::BitVector Seeds,
                           std::optional<StepId> End) const;
  bool isBarrier(StepId S) const {
    return P.Steps[S].What == Step::Kind::Barrier;
  }

  llvm::DenseMap<StepId, unsigned> RegionOf;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_INTERVALGRAPH_H
