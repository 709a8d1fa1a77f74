// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanSequence.h"

#include "cudaopt/Transforms/PlanTrust.h"

#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;

PlanSequence::PlanSequence(const Kernel &K, size_t Index, const Target &T,
                           const PassOptions &Settings, const RuleSources &From)
    : K(K), T(T), Settings(Settings), Asked(From.Opts), Rules(K, Index, From),
      Analyses(K) {
  plan();
  choose();
}

/// What the author does not want to hear about is not told.
static void dropMarked(const Kernel &K, std::vector<Note> &Notes) {
  llvm::erase_if(Notes, [&](const Note &Each) {
    if (Each.Array)
      return findMark(K, *Each.Array, Each.Pass).has_value();
    return K.Marks && K.Marks->ofFunction(K.Decl, Each.Pass);
  });
}

/// Runs the passes. Those that store variables come last: without them is what
/// remains if the storage is refused.
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

void PlanSequence::choose() {
  Plan Best = Stored;
  if (Stored.Reuse && Stored.Reuse->isRewritten())
    if (Blocker Why = Rules.ofStorage(Stored); Why.Why != Reason::None) {
      Best = Apart;
      Best.Reuse = Stored.Reuse->kept(std::move(Why));
    }
  for (auto [Number, Each] : llvm::enumerate(Best.Rewrites))
    Each.WhyKept = Rules.ofRewrite(Number, *Each.Wanted);
  Current = withTrust(K, std::move(Best));
}

void PlanSequence::drop(Refusal Why) {
  const bool IsOfStorage = Why.Of == Refusal::Part::Storage;
  Rules.add(std::move(Why));
  if (!IsOfStorage) // What the passes want is known otherwise.
    plan();
  choose();
}
