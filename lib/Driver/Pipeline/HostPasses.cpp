// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which host loops are rewritten, and reverts those whose edits fail.
//===----------------------------------------------------------------------===//

#include "HostPasses.h"

#include "MarkCheck.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Rewrite/Levelize/LevelizeEdit.h"

#include "clang/AST/ASTContext.h"

using namespace cudaopt;

/// Returns why the loop of \p D stays unchanged, whatever its pass wants. Marks
/// come first; and a loop must not be changed because of a text that may not be
/// the build's.
static std::optional<Refusal> findRefusal(const LevelizeDecision &D,
                                          const RuleSources &From) {
  if (auto Mark = findLoopMark(D, From.Marks))
    return Mark;
  if (D.isRewritten() && !From.Doubts.OfText.empty())
    return Refusal{Reason::ParsedOtherwise, From.Doubts.OfText,
                   D.Loop.Loop->getBeginLoc()};
  return D.Refused;
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

/// All loops are written at once, since they may share declarations.
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
  std::vector<std::optional<Refusal>> Refused =
      rewriteLoops(Wanted, From.Facts.Macros.OfUser, From.Context, All);
  // It is not known which edit belongs to which loop, so that all are reverted.
  if (auto Mark = findMarkedEdit(All, From.Marks))
    Refused.assign(Wanted.size(), Mark);
  bool AreAll = true;
  for (auto [Each, R] : llvm::zip_equal(Rewritten, Refused)) {
    AreAll &= !R;
    Each->Refused = std::move(R);
  }
  return AreAll;
}

void HostLoops::report(FileReport &Report) const {
  for (const Entry &Each : Loops)
    Report.Loops.push_back(reportLoop(Each.Wanted, Each.Refused,
                                      proposeMark(Each.Wanted),
                                      From.Context.getSourceManager()));
}
