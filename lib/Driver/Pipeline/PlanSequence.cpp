// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans a kernel under its current rules, and chooses between the plan with
/// new storage and the one without.
//===----------------------------------------------------------------------===//

#include "PlanSequence.h"

#include "cudaopt/Plan/PlanTrust.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

PlanSequence::PlanSequence(const Kernel &K, size_t Index, const Target &T,
                           PassOptions Settings, const RuleSources &From,
                           KernelAnalyses::WorkSource Work)
    : K(K), T(T), Settings(std::move(Settings)), Asked(From.Opts),
      Rules(K, Index, From), Analyses(K, std::move(Work)) {
  plan();
  choose();
}

/// Removes notes about what the user has marked to be left alone.
static void dropMarked(const Kernel &K, std::vector<Note> &Notes) {
  llvm::erase_if(Notes, [&](const Note &Each) {
    if (Each.Array)
      return findMark(K, *Each.Array, Each.Pass).has_value();
    return K.Marks && K.Marks->ofFunction(K.Decl, Each.Pass);
  });
}

/// Runs the passes. Those that store variables run last, because the plan
/// without them is needed, too: it remains if the storage is refused.
void PlanSequence::plan() {
  const PassInput In = {K, T, Settings, Rules, Analyses};
  auto run = [&](Plan P, bool Stores) {
    for (const PassInfo &Pass : allPasses())
      if (KernelPass *const *Run = std::get_if<KernelPass *>(&Pass.Run);
          Run && Asked.runsPass(Pass) && Pass.stores() == Stores)
        P = (*Run)(In, P);
    return P;
  };
  Apart = run(Plan(), /*Stores=*/false);
  dropMarked(K, Apart.Notes);
  Stored = run(Apart, /*Stores=*/true);
}

/// Chooses the current candidate: the plan with new storage unless a rule
/// forbids it.
void PlanSequence::choose() {
  Plan Best = Stored;
  if (Stored.Reuse && Stored.Reuse->isRewritten())
    if (std::optional<Refusal> R = Rules.ofStorage(Stored)) {
      Best = Apart;
      Best.Reuse = Stored.Reuse->kept(std::move(*R));
    }
  for (auto [Number, Each] : llvm::enumerate(Best.Rewrites))
    if (!Each.Refused) // Its pass may have refused it already.
      Each.Refused = Rules.ofRewrite(Number, *Each.Wanted);
  Current = withTrust(K, std::move(Best));
}

/// Storage is refused without planning again: the plan without it exists
/// already.
void PlanSequence::drop(PlanRefusal What) {
  const bool IsOfStorage = What.Of == PlanRefusal::Part::Storage;
  Rules.add(std::move(What));
  if (!IsOfStorage) // Under the new rule, the passes may decide differently.
    plan();
  choose();
}
