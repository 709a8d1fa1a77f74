// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Chooses orders of statements by trial: the whole pipeline runs on the
/// reordered text, so that the decision rests on what the passes really
/// achieve.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Pipeline/OrderChoice.h"

using namespace cudaopt;

/// Returns true if the storage of kernel number \p Kernel is rewritten.
static bool isStoredAnew(const PipelineResult &Result, size_t Kernel) {
  if (Kernel >= Result.Report.Kernels.size())
    return false;
  const KernelReport &K = Result.Report.Kernels[Kernel];
  return K.Storage && !K.Storage->Objects.empty();
}

/// Returns true if \p Kernel is better in \p After, with another order: higher
/// occupancy or, at the same occupancy, fewer bytes, if bytes count or if its
/// storage could not be rewritten before.
static bool gains(const PipelineResult &Before, const PipelineResult &After,
                  size_t Kernel, bool BytesCount) {
  if (!isStoredAnew(After, Kernel))
    return false;
  const KernelReport &Old = Before.Report.Kernels[Kernel],
                     &New = After.Report.Kernels[Kernel];
  if (!New.SharedBytes || !Old.SharedBytes)
    return false;
  if (New.BlocksPerSM && Old.BlocksPerSM &&
      New.BlocksPerSM->After != Old.BlocksPerSM->After)
    return New.BlocksPerSM->After > Old.BlocksPerSM->After;
  return New.SharedBytes->After < Old.SharedBytes->After &&
         (BytesCount || !isStoredAnew(Before, Kernel));
}

std::map<std::string, FileEdits> OrderChoice::collectEdits() const {
  std::map<std::string, FileEdits> All;
  for (size_t Kernel : Current.Applied)
    for (const auto &[File, Edits] : Before.Orders.at(Kernel))
      All[File].insert(Edits.begin(), Edits.end());
  return All;
}

void OrderChoice::writeTexts() {
  Current.Originals.clear();
  Current.Texts.clear();
  for (const auto &[File, Edits] : collectEdits()) {
    Current.Originals[File] = Text;
    Current.Texts[File] = applyEdits(Text, Edits);
  }
}

void OrderChoice::decline(const std::set<size_t> &Kernels) {
  for (size_t Kernel : Kernels) {
    Current.Applied.erase(Kernel);
    Current.Declined.insert(Kernel);
  }
  writeTexts();
}

/// Starts with all proposed orders and removes those that gain nothing until
/// all remaining ones do. The loop ends, because every round removes at least
/// one. Kernels are compared in a parse with all of the orders, since
/// reordering one kernel does not affect another's storage.
void OrderChoice::choose(const Runner &Run, bool BytesCount) {
  std::optional<PipelineResult> First = Run(Current);
  if (!First || First->Orders.empty())
    return;
  Before = std::move(*First);
  for (const auto &[Kernel, Edits] : Before.Orders)
    Current.Applied.insert(Kernel);
  writeTexts();
  while (!Current.Applied.empty()) {
    std::optional<PipelineResult> After = Run(Current);
    const bool IsSameFile =
        After && !After->HasParseErrors &&
        After->Report.Kernels.size() == Before.Report.Kernels.size();
    std::set<size_t> Losers;
    for (size_t Kernel : Current.Applied)
      if (!IsSameFile || !gains(Before, *After, Kernel, BytesCount))
        Losers.insert(Kernel);
    if (Losers.empty())
      return;
    decline(Losers);
  }
}

bool OrderChoice::declineUnused(const PipelineResult &Result) {
  std::set<size_t> Unused;
  for (size_t Kernel : Current.Applied)
    if (!isStoredAnew(Result, Kernel))
      Unused.insert(Kernel);
  if (!Unused.empty())
    decline(Unused);
  return !Unused.empty();
}

void OrderChoice::finish(PipelineResult &Result) const {
  for (const auto &[File, Edits] : collectEdits()) {
    Result.Edits[File] = composeEdits(Text, Edits, Result.Edits[File]);
    Result.Sources[File] = Text;
  }
}
