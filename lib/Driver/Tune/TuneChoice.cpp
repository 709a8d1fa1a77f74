// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the variants of a program.
//===----------------------------------------------------------------------===//

#include "TuneChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>

using namespace cudaopt;
using namespace llvm;

/// The least gain that counts, as a part of the time.
static constexpr double LeastGain = 0.01;

bool cudaopt::isBetter(const Sample &New, const Sample &Old) {
  const double Gain = std::max({LeastGain, New.Spread, Old.Spread});
  return New.Median > 0 && New.Median < Old.Median * (1 - Gain);
}

/// Returns true if some variant decides differently about \p Kernel than the
/// first.
static bool isOpen(ArrayRef<ProgramVariant> Variants, StringRef Kernel) {
  return any_of(Variants, [&](const ProgramVariant &Each) {
    return Each.decisionOn(Kernel) != Variants.front().decisionOn(Kernel);
  });
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

Sample cudaopt::measureRuns(const ProgramVariant &Variant,
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
                        ArrayRef<std::string> Kernels,
                        TuneObjective Objective) {
  const bool IsOfKernels = Objective == TuneObjective::Time;
  const size_t OfRuns =
      IsOfKernels ? 0 : chooseBest(Variants, [&](const ProgramVariant &Each) {
        return measureRuns(Each, Objective);
      });
  std::vector<KernelChoice> Result;
  for (const std::string &Kernel : Kernels) {
    if (!isOpen(Variants, Kernel))
      continue;
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
