// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The best storage of a kernel's variables while its arrays have the layouts
/// of a plan.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_STORAGESEARCH_H
#define CUDAOPT_LIB_TRANSFORMS_STORAGESEARCH_H

#include "ReuseProblem.h"
#include "StorageWorth.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Placement/Solver.h"

namespace cudaopt {

struct StorageCandidate {
  std::vector<StorageNode> Objects;
  StorageWorth W;
  std::vector<InPlacePair> InPlace = {};
};

class StorageSearch {
public:
  /// \p Layouts outlive the search, and may change.
  StorageSearch(const Kernel &K, const Target &T, const PassOptions &Options,
                const LayoutMap &Layouts)
      : K(K), T(T), Options(Options), Layouts(Layouts) {}

  /// Allows more static memory than a compiler accepts: it can be moved.
  void allowDynamic() { MayBeDynamic = true; }
  /// What instances need more than is a loss.
  void limitBytes(std::vector<uint64_t> ByInstance) {
    MostBytes = std::move(ByInstance);
  }

  StorageWorth weigh(const ReuseProblem &In,
                     llvm::ArrayRef<StorageNode> Objects) const;
  StorageCandidate findBest(const ReuseProblem &In, SolverLimits Limits) const;
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

/// Threads of the blocks for which \p I is judged.
llvm::SmallVector<uint32_t, 5> listThreads(const ReuseInstance &I);

/// The instance of \p In whose variables need the most bytes as they are.
const ReuseInstance &largestInstance(const ReuseProblem &In);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_STORAGESEARCH_H
