// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass shrink: cuts arrays whose last rows are never accessed
/// (TrimmedArrays.h), if the freed bytes let more blocks fit, or if the user
/// asks for fewer bytes. All such arrays are cut, or none.
//===----------------------------------------------------------------------===//

#include "StorageChoice.h"
#include "TrimmedArrays.h"

using namespace cudaopt;

/// Adds to \p Kept why the arrays that \p Cut would cut stay as large as they
/// are. \p Smaller is the problem with them cut.
static void explainKept(const StorageChoice &C, const ReuseProblem &Smaller,
                        const ShrinkDecision &Cut, ShrinkDecision &Kept) {
  if (C.Options.Reuse == ReuseChoice::Bytes)
    return; // The freed bytes would be used by other variables anyway.
  const ReuseInstance &I = largestInstance(Smaller);
  const ReuseInstance &Old = C.All.instances()[&I - Smaller.instances().data()];
  const std::string Why =
      C.explainNoStep(I, C.All.bytesOf(Old, {}), Smaller.bytesOf(I, {}));
  for (const TrimmedArray &Each : Cut.Trimmed)
    Kept.NotTrimmed.push_back({Each.Array,
                               {Reason::NoOccupancyStep, Why,
                                C.K.Arrays[Each.Array].Decl->getLocation()}});
}

static void shrink(StorageChoice &C) {
  const ShrinkDecision Found =
      findTrimmedArrays(C.K, C.All.instances(), C.Layouts, C.Decision.Private);
  C.Decision.NotTrimmed = Found.NotTrimmed;
  if (Found.Trimmed.empty())
    return;
  C.update();
  ReuseDecision Cut = C.Decision;
  Cut.Trimmed = Found.Trimmed;
  const ReuseProblem Smaller = C.All.with(Cut);
  if (!C.findBestWorth(Smaller, Cut)
           .isWorthMore(C.findBestWorth(*C.Problem, C.Decision),
                        C.Options.Reuse))
    return explainKept(C, Smaller, Found, C.Decision);
  C.Decision = std::move(Cut);
  C.update();
  C.describe({});
  C.Decision.Refused.reset();
}

Plan cudaopt::planShrink(const PassInput &In, const Plan &Earlier) {
  return StorageChoice::decide(In, Earlier, shrink);
}
