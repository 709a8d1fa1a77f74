// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Calls the verifiers of all parts of a plan and attributes a failure to the
/// smallest part that can be dropped.
//===----------------------------------------------------------------------===//

#include "PlanCheck.h"

#include "cudaopt/Passes/Residency.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;
using llvm::toString;

/// Returns the first rewrite of \p P, other than layouts and storage, that
/// fails its verification; std::nullopt if there is none.
static std::optional<PlanRefusal>
findWrongRewrite(const Kernel &K, const Plan &P, ASTContext &Context) {
  for (auto [Number, Each] : llvm::enumerate(P.Rewrites))
    if (Each.isRewritten())
      if (llvm::Error Violated = Each.Wanted->verify(K, Context))
        return PlanRefusal{PlanRefusal::Part::Rewrite,
                           unsigned(Number),
                           {Reason::VerificationFailed,
                            toString(std::move(Violated)),
                            K.Decl->getLocation()}};
  return std::nullopt;
}

std::optional<PlanRefusal>
cudaopt::findViolation(const Kernel &K, const Plan &P, const Target &T,
                       ASTContext &Context, InPlaceCheck CheckInPlace) {
  if (auto Wrong = findWrongRewrite(K, P, Context))
    return Wrong;
  auto refuse = [&](PlanRefusal::Part Of, llvm::Error Violated) {
    return PlanRefusal{Of,
                       {},
                       {Reason::VerificationFailed,
                        toString(std::move(Violated)), K.Decl->getLocation()}};
  };
  if (P.Reuse && P.Reuse->isRewritten()) {
    llvm::Error Violated = verifyReuse(K, P, Context, CheckInPlace);
    if (!Violated && P.Reuse->placesLayouts())
      // The layouts are verified at the offsets that the new storage gives the
      // arrays.
      Violated = verifyPlan(K, P, T, Context);
    if (Violated)
      return refuse(PlanRefusal::Part::Storage, std::move(Violated));
    if (P.Reuse->placesLayouts())
      return std::nullopt;
  }
  if (llvm::Error Violated = verifyPlan(K, P, T, Context))
    return refuse(PlanRefusal::Part::All, std::move(Violated));
  return std::nullopt;
}

bool cudaopt::wantsMoreBlocks(const Plan &P) {
  return P.Reuse && P.Reuse->isRewritten() &&
         P.Reuse->BlocksAfter > P.Reuse->BlocksBefore;
}

std::vector<PlanRefusal>
cudaopt::findWaitingLayouts(const Kernel &K, const Plan &P, const Target &T,
                            const KernelResources &Taken) {
  BlockNeeds Needs;
  Needs.Registers = Taken.Registers;
  for (const auto &Instance : K.Instances)
    Needs.StaticBytes[Instance.get()] = Taken.SharedBytes;
  std::vector<PlanRefusal> Waiting;
  for (const auto &[Array, Decision] : P.Layouts)
    if (Decision.isRewritten())
      if (std::optional<Refusal> R =
              findWaiting(K, Array, Decision.Effects, T, Needs))
        Waiting.push_back({PlanRefusal::Part::Layout, Array, std::move(*R)});
  return Waiting;
}
