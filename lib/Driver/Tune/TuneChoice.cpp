// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the variants of a program.
//===----------------------------------------------------------------------===//

#include "TuneChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <set>

using namespace cudaopt;
using namespace llvm;

/// The least gain that counts, as a part of the time.
static constexpr double LeastGain = 0.01;

bool cudaopt::isBetter(const Sample &New, const Sample &Old) {
  const double Gain = std::max({LeastGain, New.Spread, Old.Spread});
  return New.Median > 0 && New.Median < Old.Median * (1 - Gain);
}

/// Returns the kernels about which some variant decides differently than the
/// first.
static std::set<std::string> listDiffering(ArrayRef<ProgramVariant> Variants) {
  std::set<std::string> Result;
  for (const ProgramVariant &Each : Variants)
    for (const auto &[Kernel, Decision] : Each.Decisions)
      if (Variants.front().decisionOn(Kernel) != Decision)
        Result.insert(Kernel);
  return Result;
}

/// Returns the best variant by what \p Measure says of each.
static size_t chooseBest(ArrayRef<ProgramVariant> Variants,
                         function_ref<Sample(const ProgramVariant &)> Measure) {
  size_t Best = 0;
  const Sample OfFirst = Measure(Variants.front());
  Sample OfBest = OfFirst;
  for (size_t I = 1; I != Variants.size(); ++I) {
    const Sample Each = Measure(Variants[I]);
    if (!isBetter(Each, OfFirst) || Each.Median >= OfBest.Median)
      continue;
    Best = I;
    OfBest = Each;
  }
  return Best;
}

/// Returns what \p Objective is, of whole runs.
static Sample measureRuns(const ProgramVariant &Variant,
                          TuneObjective Objective) {
  Sample Energy = energiesOf(Variant);
  if (Objective == TuneObjective::Product) {
    const Sample Time = timesOf(Variant);
    Energy.Median *= Time.Median;
    Energy.Spread += Time.Spread;
  }
  return Energy;
}

std::vector<KernelChoice>
cudaopt::chooseVariants(ArrayRef<ProgramVariant> Variants,
                        TuneObjective Objective) {
  const bool IsOfKernels = Objective == TuneObjective::Time;
  const size_t OfRuns =
      IsOfKernels ? 0 : chooseBest(Variants, [&](const ProgramVariant &Each) {
        return measureRuns(Each, Objective);
      });
  std::vector<KernelChoice> Result;
  for (const std::string &Kernel : listDiffering(Variants)) {
    size_t Best = OfRuns;
    if (IsOfKernels)
      Best = chooseBest(Variants, [&](const ProgramVariant &Each) {
        return timesOf(Variants, Each, Kernel);
      });
    if (Variants[Best].decisionOn(Kernel) ==
        Variants.front().decisionOn(Kernel))
      Best = 0;
    Result.push_back({Kernel, Best});
  }
  return Result;
}
