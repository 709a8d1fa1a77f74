// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlanCheck.h"

#include "../Transforms/Residency.h"

#include "clang/AST/ASTContext.h"

using namespace cudaopt;
using namespace clang;
using llvm::toString;

void cudaopt::keepStorage(Plan &P, Blocker Why) {
  ReuseDecision &Reuse = *P.Reuse;
  for (auto &[Array, Alone] : Reuse.LayoutsAlone)
    P.Layouts[Array] = Alone;
  Reuse.LayoutsAlone.clear();
  for (ArrayId Array : Reuse.Private)
    if (auto Layout = P.Layouts.find(Array); Layout != P.Layouts.end())
      Layout->second.keep(Why);
  Reuse.Private.clear();
  Reuse.Duplicated.clear();
  Reuse.Trimmed.clear();
  Reuse.Objects.clear();
  Reuse.Launches.clear();
  Reuse.NewBarriers.clear();
  Reuse.InPlace.clear();
  Reuse.NumCombinations = 0;
  Reuse.Poisoned.clear();
  Reuse.WhyKept = std::move(Why);
  Reuse.BytesAfter = Reuse.BytesBefore;
  Reuse.BlocksAfter = Reuse.BlocksBefore;
}

void cudaopt::keepAll(const Kernel &K, Plan &P, Reason Why,
                      const std::string &Detail) {
  if (P.Reuse && P.Reuse->isRewritten())
    keepStorage(P, {Why, Detail, K.Decl->getLocation()});
  for (auto &[Array, Decision] : P.Layouts)
    if (Decision.isRewritten())
      Decision.keep({Why, Detail, K.Arrays[Array].Decl->getLocation()});
}

/// Checks what the arrays get if their storage is taken back later; where that
/// is wrong, they will stay as they are.
static void verifyLayoutsAlone(const Kernel &K, Plan &P, const Target &T,
                               ASTContext &Context) {
  if (!P.Reuse || P.Reuse->LayoutsAlone.empty())
    return;
  Plan Alone = P;
  keepStorage(Alone, {Reason::ReuseOff, "", K.Decl->getLocation()});
  llvm::Error E = verifyPlan(K, Alone, T, Context);
  if (!E)
    return;
  const std::string Detail = toString(std::move(E));
  for (auto &[Array, Decision] : P.Reuse->LayoutsAlone)
    Decision.keep({Reason::VerificationFailed, Detail,
                   K.Arrays[Array].Decl->getLocation()});
}

void cudaopt::checkPlan(const Kernel &K, Plan &P, const Target &T,
                        ASTContext &Context, InPlaceCheck CheckInPlace) {
  if (P.Reuse && P.Reuse->isRewritten()) {
    llvm::Error E = verifyReuse(K, P, Context, CheckInPlace);
    if (!E && P.Reuse->placesLayouts())
      E = verifyPlan(K, P, T, Context); // Where the arrays then lie.
    if (E)
      keepStorage(P, {Reason::VerificationFailed, toString(std::move(E)),
                      K.Decl->getLocation()});
    else
      verifyLayoutsAlone(K, P, T, Context);
  }
  if (!P.Reuse || !P.Reuse->placesLayouts())
    if (llvm::Error E = verifyPlan(K, P, T, Context))
      keepAll(K, P, Reason::VerificationFailed, toString(std::move(E)));
}

bool cudaopt::wantsMoreBlocks(const Plan &P) {
  return P.Reuse && P.Reuse->isRewritten() &&
         P.Reuse->BlocksAfter > P.Reuse->BlocksBefore;
}

bool cudaopt::keepWaiting(const Kernel &K, Plan &P, const Target &T,
                          const KernelResources &Taken) {
  BlockNeeds Needs;
  Needs.Registers = Taken.Registers;
  for (const auto &Instance : K.Instances)
    Needs.StaticBytes[Instance.get()] = Taken.SharedBytes;
  bool TookBack = false;
  for (auto &[Array, Decision] : P.Layouts) {
    if (!Decision.isRewritten())
      continue;
    const Blocker Why = findWaiting(K, Array, Decision.Added, T, Needs);
    if (Why.Why == Reason::None)
      continue;
    TookBack = true;
    Decision.keep(Why);
    // Arrays in place must have the layouts with which that was proved.
    if (P.Reuse && !P.Reuse->InPlace.empty()) {
      keepStorage(P, Why);
      break;
    }
  }
  return TookBack;
}

llvm::Error cudaopt::findBrokenPair(const Kernel &K, const Plan &P,
                                    llvm::ArrayRef<ArrayRewrite> Wanted) {
  for (const ArrayRewrite &Rewrite : Wanted)
    if (&Rewrite.K == &K && !Rewrite.WhyNot.empty() &&
        !P.Reuse->InPlace.empty())
      return llvm::createStringError(Rewrite.WhyNot);
  return llvm::Error::success();
}
