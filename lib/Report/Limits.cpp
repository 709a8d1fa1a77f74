// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What limits a kernel: its predicted time by resource, and what is left of it
/// without bank conflicts.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Report/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace cudaopt {

std::string showSeconds(double Seconds) {
  if (Seconds < 1e-7)
    return llvm::formatv("{0:F1} ns", Seconds * 1e9);
  if (Seconds < 1e-3)
    return llvm::formatv("{0:F2} us", Seconds * 1e6);
  if (Seconds < 1)
    return llvm::formatv("{0:F3} ms", Seconds * 1e3);
  return llvm::formatv("{0:F3} s", Seconds);
}

std::string adviseOn(const GlobalAccess &A) {
  constexpr double Tolerance = 1.05;
  if (A.Sectors <= A.Least * Tolerance)
    return "";
  switch (A.Lanes.Order) {
  case LaneOrder::Same:
    return "";
  case LaneOrder::Groups:
    return "groups of lanes have an element each: put these side by side";
  case LaneOrder::Adjacent:
    return "lanes are neighbours, but begin inside of a sector: align the "
           "first element to 32 bytes";
  case LaneOrder::Rows:
    return "a warp covers several short rows: make rows of 32 threads, or "
           "align them to 32 bytes";
  case LaneOrder::Partial:
    return "not all lanes take part: give the work to neighbouring threads";
  case LaneOrder::Gaps:
    return llvm::formatv("lanes are {0} bytes apart: put side by side what "
                         "neighbouring threads need (structure of arrays)",
                         std::abs(A.Lanes.Bytes));
  case LaneOrder::Far:
    return "lanes are far apart: give neighbouring threads neighbouring "
           "elements, or copy tiles through shared memory";
  case LaneOrder::Scattered:
    return "lanes are at no common distance: put side by side what a warp "
           "needs, or gather it in shared memory";
  }
  llvm_unreachable("unknown order");
}

std::string LimitReport::text() const {
  const Resource Most = Time.limiter();
  std::string Others;
  for (unsigned I = 0; I != NumResources; ++I)
    if (Resource(I) != Most)
      Others += llvm::formatv("{0}{1} {2:F0}%", Others.empty() ? "" : ", ",
                              std::string(nameOf(Resource(I))),
                              100 * Time.share(Resource(I)));
  std::string Text =
      llvm::formatv("{0}: {1:F0}% of the {2} predicted for the {3}{4} ({5})",
                    std::string(nameOf(Most)), 100 * Time.share(Most),
                    Seconds ? showSeconds(*Seconds) : "time", Speed.Name,
                    Speed.IsMeasured ? "" : " by its data sheet", Others);
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
    auto Resident = findResidency(K, *I, T, BlockNeeds());
    if (!Resident)
      continue;
    // A small grid leaves room on the multiprocessors.
    const uint64_t Blocks =
        uint64_t(I->Block.Grid[0]) * I->Block.Grid[1] * I->Block.Grid[2];
    const uint64_t BlocksOfSM =
        llvm::divideCeil(Blocks, T.Speed->Multiprocessors);
    if (Blocks)
      Resident->Blocks = std::min<uint64_t>(Resident->Blocks, BlocksOfSM);
    std::optional<KernelWork> Work = Analyses.work(*I);
    if (!Work)
      return std::nullopt;
    LimitReport Result;
    Result.Block = I->Block;
    Result.Time = predictTime(*Work, *Resident, *T.Speed);
    Result.Speed = *T.Speed;
    if (Blocks)
      Result.Seconds =
          T.Speed->seconds(Result.Time.Cycles * double(BlocksOfSM));
    Result.Warps = Resident->warps();
    Result.IsExact = Work->IsExact;
    Result.Global = Work->GlobalAccesses;
    if (Report.Cost && Report.WhyUncounted.empty() && Report.Cost->Before > 0) {
      const double Wavefronts = Work->SharedWavefronts;
      auto ratioAt = [&](double Cost) {
        Work->SharedWavefronts = Wavefronts * Cost / Report.Cost->Before;
        return predictTime(*Work, *Resident, *T.Speed).Cycles /
               Result.Time.Cycles;
      };
      Result.WithoutConflicts = ratioAt(Report.Cost->Bound);
      Result.AfterRewrite = ratioAt(Report.Cost->After);
    }
    return Result;
  }
  return std::nullopt;
}

} // namespace cudaopt
