// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the passes on loops of the host and keeps track of their decisions.
/// Each loop has two candidates: as its pass wants it, and unchanged for a
/// reason.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_HOSTPASSES_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_HOSTPASSES_H

#include "KernelRules.h"
#include "cudaopt/Driver/Command/Options.h"
#include "cudaopt/Passes/Levelize/Levelize.h"
#include "cudaopt/Report/Report.h"

#include <list>
#include <vector>

namespace cudaopt {

/// The host loops of one translation unit that some pass has decided about.
class HostLoops {
public:
  /// Runs the host passes that the options of \p From enable. All arguments
  /// must outlive this object.
  HostLoops(const RuleSources &From, const IslContext &Isl);

  /// Adds the edits of the rewritten loops to \p All. If some loop cannot be
  /// edited, it is reverted and false is returned; then \p All holds unusable
  /// edits, and must be built anew.
  bool addEdits(Edits &All);
  /// Adds the decisions on the loops to \p Report.
  void report(FileReport &Report) const;

private:
  struct Entry {
    const LevelizeDecision &Wanted;
    /// std::nullopt if the loop becomes what is wanted.
    std::optional<Refusal> Refused;

    bool isRewritten() const { return !Refused && !Wanted.IsProposal; }
  };

  const RuleSources &From;
  std::list<LevelizeDecision> Decisions;
  std::vector<Entry> Loops; ///< One entry for each decision.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_HOSTPASSES_H
