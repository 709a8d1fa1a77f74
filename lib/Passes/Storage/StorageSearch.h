// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The search for the best storage of a kernel's variables, with given layouts
/// of its arrays: placements from the solvers, turned into trees that the text
/// can express, and compared by what they are worth.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_STORAGESEARCH_H
#define CUDAOPT_LIB_PASSES_STORAGE_STORAGESEARCH_H

#include "ReuseProblem.h"
#include "StorageWorth.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Placement/Solver.h"

namespace cudaopt {

/// A storage and its worth.
struct StorageCandidate {
  std::vector<StorageNode> Objects; ///< Empty for the storage of the source.
  StorageWorth W;
  /// The pairs of variables that share bytes although they interfere.
  std::vector<InPlacePair> InPlace = {};
};

class StorageSearch {
public:
  /// \p Layouts must outlive the search, which sees its changes.
  StorageSearch(const Kernel &K, const Target &T, const PassOptions &Options,
                const LayoutMap &Layouts)
      : K(K), T(T), Options(Options), Layouts(Layouts) {}

  /// Accepts more static memory than a compiler does, since it can be moved to
  /// dynamic memory.
  void allowDynamic() { MayBeDynamic = true; }
  /// Sets the bytes, by instance of the problem, that a storage must not exceed
  /// (StorageWorth::Loses).
  void limitBytes(std::vector<uint64_t> ByInstance) {
    MostBytes = std::move(ByInstance);
  }

  /// Returns the worth of storing the variables of \p In as \p Objects say.
  StorageWorth weigh(const ReuseProblem &In,
                     llvm::ArrayRef<StorageNode> Objects) const;
  /// Returns the best storage of \p In; that of the source if nothing can be
  /// moved. \p Limits holds for each call of a solver.
  StorageCandidate findBest(const ReuseProblem &In, SolverLimits Limits) const;
  /// Returns how many blocks of \p Threads threads fit on a multiprocessor if
  /// each needs \p Bytes of static memory; 0 if a compiler refuses so much
  /// static memory and it cannot become dynamic.
  unsigned countBlocks(uint32_t Threads, const ReuseInstance &I,
                       uint64_t Bytes) const;

private:
  std::optional<StorageCandidate> makeCandidate(const ReuseProblem &In,
                                                const Placement &Places,
                                                bool MayUseGaps) const;
  bool isBetter(const StorageCandidate &A, const StorageCandidate &B) const;

  const Kernel &K;
  const Target &T;
  const PassOptions &Options;
  const LayoutMap &Layouts;
  bool MayBeDynamic = false;
  std::vector<uint64_t> MostBytes;
};

/// Returns the numbers of threads of a block for which the occupancy of \p I is
/// judged: that of its launch or, if it is not known, the usual ones.
llvm::SmallVector<uint32_t, 5> listThreads(const ReuseInstance &I);

/// Returns the instance of \p In whose variables need the most bytes if each
/// has bytes of its own.
const ReuseInstance &largestInstance(const ReuseProblem &In);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_STORAGESEARCH_H
