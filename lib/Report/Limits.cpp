// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What limits a kernel: its predicted time by resource, and what is left of it
/// without bank conflicts.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Report/Report.h"

#include "llvm/Support/FormatVariadic.h"

namespace cudaopt {

std::string LimitReport::text() const {
  const Resource Most = Time.limiter();
  std::string Others;
  for (unsigned I = 0; I != NumResources; ++I)
    if (Resource(I) != Most)
      Others += llvm::formatv("{0}{1} {2:F0}%", Others.empty() ? "" : ", ",
                              std::string(nameOf(Resource(I))),
                              100 * Time.share(Resource(I)));
  std::string Text =
      llvm::formatv("{0}: {1:F0}% of the predicted time ({2})",
                    std::string(nameOf(Most)), 100 * Time.share(Most), Others);
  if (WithoutConflicts)
    Text += llvm::formatv("; without bank conflicts it takes {0:F2} of it",
                          *WithoutConflicts);
  if (!IsExact)
    Text += "; estimated, as loops or addresses depend on what is not known";
  return Text;
}

std::optional<LimitReport> findLimit(const Kernel &K, const Target &T,
                                     const KernelReport &Report,
                                     KernelAnalyses &Analyses) {
  // The first launch that tells the block stands for all.
  for (const std::unique_ptr<KernelInstance> &I : K.Instances) {
    const auto Resident = findResidency(K, *I, T, BlockNeeds());
    if (!Resident)
      continue;
    std::optional<KernelWork> Work = Analyses.work(*I);
    if (!Work)
      return std::nullopt;
    LimitReport Result;
    Result.Block = I->Block;
    Result.Time = predictTime(*Work, *Resident);
    Result.Warps = Resident->warps();
    Result.IsExact = Work->IsExact;
    Result.Global = Work->GlobalAccesses;
    if (Report.Cost && Report.WhyUncounted.empty() && Report.Cost->Before > 0) {
      Work->SharedWavefronts *= Report.Cost->Bound / Report.Cost->Before;
      Result.WithoutConflicts =
          predictTime(*Work, *Resident).Cycles / Result.Time.Cycles;
    }
    return Result;
  }
  return std::nullopt;
}

} // namespace cudaopt
