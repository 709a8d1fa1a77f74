// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass shrink: cuts arrays of which the last rows are never accessed, if
/// that is worth it.
//===----------------------------------------------------------------------===//

#include "StorageChoice.h"
#include "TrimmedArrays.h"

#include "clang/AST/Attr.h"

using namespace cudaopt;

/// Why the arrays that \p Cut would cut, so that \p Smaller is left, stay as
/// large as they are.
static void explainKept(const StorageChoice &C, const ReuseProblem &Smaller,
                        const ShrinkDecision &Cut, ShrinkDecision &Kept) {
  if (C.Options.Reuse == ReuseChoice::Bytes)
    return; // Others lie there.
  const ReuseInstance &I = largestInstance(Smaller);
  const ReuseInstance &Old = C.All.instances()[&I - Smaller.instances().data()];
  const std::string Why =
      C.explainNoStep(I, C.All.bytesOf(Old, {}), Smaller.bytesOf(I, {}));
  for (const TrimmedArray &Each : Cut.Trimmed)
    Kept.NotTrimmed.push_back({Each.Array,
                               {Reason::NoOccupancyStep, Why,
                                C.K.Arrays[Each.Array].Decl->getLocation()}});
}

Plan cudaopt::planShrink(const PassInput &In, const Plan &Earlier) {
  if (!In.K.Decl->hasAttr<clang::CUDAGlobalAttr>())
    return Earlier;
  StorageChoice C(In, Earlier);
  if (!C.isOpen())
    return C.makePlan();
  const ShrinkDecision Found =
      findTrimmedArrays(In.K, C.All.instances(), C.Layouts, C.Decision.Private);
  C.Decision.NotTrimmed = Found.NotTrimmed;
  if (Found.Trimmed.empty())
    return C.makePlan();
  C.update();
  ReuseDecision Cut = C.Decision;
  Cut.Trimmed = Found.Trimmed;
  const ReuseProblem Smaller = C.All.with(Cut);
  if (!C.findBestWorth(Smaller, Cut)
           .isWorthMore(C.findBestWorth(*C.Problem, C.Decision),
                        In.Options.Reuse)) {
    explainKept(C, Smaller, Found, C.Decision);
    return C.makePlan();
  }
  C.Decision = std::move(Cut);
  C.update();
  C.describe({});
  C.Decision.WhyKept = {};
  return C.makePlan();
}
