// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Applies the machine's time model to the work of a kernel and to what layouts
/// change of it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Passes/PredictedTime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace cudaopt;

/// The most instances of a kernel whose work is counted; others are like them.
static constexpr size_t MaxInstances = 8;
/// A layout that adds instructions must take at most this part of the time.
static constexpr double MostWithInstructions = 0.98;

bool PredictedChange::isFaster() const {
  return ratio() <= MostWithInstructions;
}

std::string PredictedChange::text() const {
  const Resource Limit = Before.limiter();
  std::string Text = llvm::formatv(
      "{0:F2} of the time is predicted; busy are {1} for {2:F0}%", ratio(),
      std::string(nameOf(Limit)), 100 * Before.share(Limit));
  if (Limit != Resource::Shared)
    Text += llvm::formatv(" of it, shared memory for {0:F0}%",
                          100 * Before.share(Resource::Shared));
  else
    Text += " of it";
  return Text;
}

bool cudaopt::addsInstructions(llvm::ArrayRef<LayoutEffect> Effects) {
  return llvm::any_of(
      Effects, [](const LayoutEffect &Each) { return Each.Instructions > 0; });
}

std::vector<const KernelInstance *>
cudaopt::chooseInstances(llvm::ArrayRef<LayoutEffect> Effects) {
  llvm::SetVector<const KernelInstance *> All;
  for (const LayoutEffect &Each : Effects)
    All.insert(Each.Instance);
  std::vector<const KernelInstance *> Chosen;
  const size_t Stride = llvm::divideCeil(All.size(), MaxInstances);
  for (size_t I = 0; I < All.size(); I += Stride)
    Chosen.push_back(All[I]);
  return Chosen;
}

PredictedChange
cudaopt::predictChange(const Kernel &K, llvm::ArrayRef<LayoutEffect> Effects,
                       const Target &T, const NeedsChange &Needs,
                       KernelAnalyses &Analyses, NewInstructions Instructions) {
  PredictedChange Result;
  for (const KernelInstance *Instance : chooseInstances(Effects)) {
    Wavefronts Cost; // Of all arrays with new layouts.
    for (const LayoutEffect &Each : Effects)
      if (Each.Instance == Instance) {
        Cost.Before += Each.Before.Wavefronts;
        Cost.After += Each.After.Wavefronts;
      }
    const auto Resident = findResidency(K, *Instance, T, Needs.Before);
    const auto ResidentAfter = findResidency(K, *Instance, T, Needs.After);
    std::optional<KernelWork> Work;
    if (Resident && ResidentAfter)
      Work = Analyses.work(*Instance);
    const auto New = Work ? Instructions(*Instance, Work->Instructions)
                          : std::optional<InstructionMix>();
    if (!New)
      continue;
    // The model of accesses knows better than LLVM what nvcc merges.
    Work->SharedWavefronts = std::max(Work->SharedWavefronts, Cost.Before);
    const KernelTime Before = predictTime(*Work, *Resident, *T.Speed);
    Work->SharedWavefronts += Cost.After - Cost.Before;
    Work->Instructions = *New;
    Result.Sum +=
        predictTime(*Work, *ResidentAfter, *T.Speed).Cycles / Before.Cycles;
    ++Result.NumInstances;
    if (Before.Cycles > Result.Before.Cycles)
      Result.Before = Before;
  }
  return Result;
}

PredictedChange cudaopt::predictShare(const Kernel &K,
                                      llvm::ArrayRef<LayoutEffect> Effects,
                                      const Target &T, const NeedsChange &Needs,
                                      KernelAnalyses &Analyses, double Share) {
  return predictChange(
      K, Effects, T, Needs, Analyses,
      [&](const KernelInstance &I, const InstructionMix &Before) {
        std::optional<InstructionMix> After = Before;
        for (const LayoutEffect &Each : Effects)
          if (Each.Instance == &I) {
            After->Issued += Share * Each.Instructions;
            After->Integer += Share * Each.Instructions;
          }
        return After;
      });
}

std::optional<Refusal>
cudaopt::findNoSpeedup(const Kernel &K, ArrayId Array,
                       llvm::ArrayRef<LayoutEffect> Effects, const Target &T,
                       const BlockNeeds &Needs, KernelAnalyses &Analyses) {
  if (!addsInstructions(Effects))
    return std::nullopt;
  const PredictedChange Best =
      predictShare(K, Effects, T, {Needs, Needs}, Analyses, 0);
  if (Best.NumInstances == 0 || Best.isFaster())
    return std::nullopt;
  return Refusal{Reason::NoSpeedup, Best.text(),
                 K.Arrays[Array].Decl->getLocation()};
}

bool cudaopt::dependsOnInstructions(const Kernel &K,
                                    llvm::ArrayRef<LayoutEffect> Effects,
                                    const Target &T, const NeedsChange &Needs,
                                    KernelAnalyses &Analyses) {
  if (!addsInstructions(Effects))
    return false;
  const PredictedChange Worst = predictShare(K, Effects, T, Needs, Analyses, 1);
  return Worst.NumInstances != 0 && !Worst.isFaster();
}
