// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostPasses.h"

#include "MarkCheck.h"
#include "cudaopt/Rewrite/LevelizeEdit.h"
#include "cudaopt/Transforms/Passes.h"

#include "clang/AST/ASTContext.h"

using namespace cudaopt;

/// Why the loop of \p D stays as it is, whatever its pass wants: marks come
/// first, and what is not the build's text is no ground to change it.
static Blocker findRefusal(const LevelizeDecision &D, const RuleSources &From) {
  if (auto Mark = findLoopMark(D, From.Marks))
    return *Mark;
  if (D.isRewritten() && !From.Doubts.OfText.empty())
    return {Reason::ParsedOtherwise, From.Doubts.OfText,
            D.Loop.Loop->getBeginLoc()};
  return D.WhyKept;
}

HostLoops::HostLoops(const RuleSources &From, const IslContext &Isl)
    : From(From) {
  const HostPassInput In = {From.Context,
                            Isl,
                            *parseLevelizeChoice(From.Opts.Levelize),
                            From.Facts.Errors,
                            From.Facts.Pragmas,
                            From.Facts.Floats};
  for (const PassInfo &Pass : allPasses())
    if (HostPass *const *Run = std::get_if<HostPass *>(&Pass.Run);
        Run && From.Opts.runsPass(Pass))
      Decisions.splice(Decisions.end(), (*Run)(In));
  for (const LevelizeDecision &D : Decisions)
    Loops.push_back({D, findRefusal(D, From)});
}

bool HostLoops::addEdits(Edits &All) {
  std::vector<Entry *> Rewritten;
  std::vector<const LevelizeDecision *> Wanted;
  for (Entry &Each : Loops)
    if (Each.isRewritten()) {
      Rewritten.push_back(&Each);
      Wanted.push_back(&Each.Wanted);
    }
  if (Wanted.empty())
    return true;
  std::vector<Blocker> WhyNot =
      rewriteLoops(Wanted, From.Facts.Macros.OfUser, From.Context, All);
  // Which edit belongs to which loop is not known.
  if (auto Mark = findMarkedEdit(All, From.Marks))
    WhyNot.assign(Wanted.size(), *Mark);
  bool AreAll = true;
  for (auto [Each, Why] : llvm::zip_equal(Rewritten, WhyNot)) {
    AreAll &= Why.Why == Reason::None;
    Each->WhyKept = std::move(Why);
  }
  return AreAll;
}

void HostLoops::report(FileReport &Report) const {
  for (const Entry &Each : Loops)
    Report.Loops.push_back(reportLoop(Each.Wanted, Each.WhyKept,
                                      proposeMark(Each.Wanted),
                                      From.Context.getSourceManager()));
}
