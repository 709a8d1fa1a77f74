// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Passes/KernelAnalyses.h"

#include "Storage/ReuseProblem.h"

using namespace cudaopt;

KernelAnalyses::KernelAnalyses(const Kernel &K, WorkSource Source)
    : K(K), Source(std::move(Source)) {}

KernelAnalyses::~KernelAnalyses() = default;

const ReuseProblem &KernelAnalyses::storage() {
  if (!Storage)
    Storage = std::make_unique<const ReuseProblem>(K);
  return *Storage;
}

const std::optional<KernelWork> &KernelAnalyses::work(const KernelInstance &I) {
  auto [At, IsNew] = Works.try_emplace(&I);
  if (IsNew && Source)
    At->second = Source(I);
  return At->second;
}
