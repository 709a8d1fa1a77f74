// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The loops of the host on their way through the stages. Each has two
/// candidates: as its pass wants it, and as it is, for a reason.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_HOSTPASSES_H
#define CUDAOPT_LIB_FRONTEND_HOSTPASSES_H

#include "KernelRules.h"
#include "cudaopt/Frontend/Options.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Transforms/Levelize.h"

#include <list>
#include <vector>

namespace cudaopt {

class HostLoops {
public:
  /// Runs the passes that the options of \p From ask for. All arguments outlive
  /// the loops.
  HostLoops(const RuleSources &From, const IslContext &Isl);

  /// Adds the edits of the loops to \p All. Drops those of which that cannot
  /// be; then it returns false, and \p All is of no use.
  bool addEdits(Edits &All);
  /// Adds to \p Report what became of them.
  void report(FileReport &Report) const;

private:
  struct Entry {
    const LevelizeDecision &Wanted;
    Blocker WhyKept; ///< None if the loop becomes what is wanted.

    bool isRewritten() const {
      return WhyKept.Why == Reason::None && !Wanted.IsProposal;
    }
  };

  const RuleSources &From;
  std::list<LevelizeDecision> Decisions;
  std::vector<Entry> Loops; ///< By decision.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_HOSTPASSES_H
