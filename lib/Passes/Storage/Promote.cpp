// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass promote: turns static shared memory that exceeds what compilers
/// accept into dynamic shared memory, or reports why that is not possible.
//===----------------------------------------------------------------------===//

#include "DynamicStorage.h"
#include "StorageChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

/// Moves some of the objects to dynamic memory, if static memory does not hold
/// them all and every launch can be edited. Otherwise C.WhyNotDynamic says why.
static void makeDynamic(StorageChoice &C) {
  const uint64_t MostStatic = C.T.SharedPerBlock;
  if (C.Launches.empty() ||
      fitsStatic(*C.Problem, C.Decision.Objects, MostStatic))
    return;
  C.WhyNotDynamic = "too little of it can be moved";
  if (C.Problem->variables().empty())
    return;
  const ReuseProblem Of = C.Problem->withBarriers(C.Decision.NewBarriers);
  auto Objects = splitDynamic(Of, C.Decision.Objects, MostStatic);
  if (!Objects)
    return;
  const auto hasBlock = [&](const ReuseInstance &I) {
    return C.Storage.countBlocks(1, I, Of.bytesOf(I, *Objects)) > 0;
  };
  if (!setBytes(Of, Objects->back(), C.Launches) ||
      !llvm::all_of(Of.instances(), hasBlock)) {
    C.WhyNotDynamic = "not so large";
    return;
  }
  C.Decision.Objects = std::move(*Objects);
  C.Decision.Variables = Of.variables();
  C.Decision.Launches = C.Launches;
  C.Decision.Refused.reset();
  C.describe({C.Decision.Objects, {}});
  C.explainWaiting();
}

/// If neither sharing bytes nor dynamic memory makes a kernel acceptable whose
/// static memory is too large, replaces the reason of the decision by one that
/// tells the author about it.
static void explainTooLarge(StorageChoice &C) {
  if (C.Decision.isRewritten())
    return;
  const ReuseInstance &I = largestInstance(*C.Problem);
  const uint64_t Bytes = C.Problem->bytesOf(I, {});
  if (Bytes <= C.T.SharedPerBlock)
    return;
  std::string Text =
      llvm::formatv("{0} bytes, where a compiler allows {1}", Bytes,
                    static_cast<uint64_t>(C.T.SharedPerBlock));
  if (!C.Problem->refused())
    Text +=
        llvm::formatv(", and {0} if arrays share bytes", C.Decision.BytesAfter);
  Text += "; dynamic shared memory (extern __shared__) may be larger";
  if (!C.WhyNotDynamic.empty())
    Text += ", but " + C.WhyNotDynamic;
  C.Decision.Refused = {Reason::TooLargeStatic, std::move(Text),
                        I.Program.Variables.front().Decl->getLocation()};
}

Plan cudaopt::planPromote(const PassInput &In, const Plan &Earlier) {
  return StorageChoice::decide(In, Earlier, [](StorageChoice &C) {
    C.update();
    makeDynamic(C);
    explainTooLarge(C);
  });
}
