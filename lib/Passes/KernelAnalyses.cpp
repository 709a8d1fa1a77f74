// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Passes/KernelAnalyses.h"

#include "Storage/ReuseProblem.h"

using namespace cudaopt;

KernelAnalyses::KernelAnalyses(const Kernel &K) : K(K) {}

KernelAnalyses::~KernelAnalyses() = default;

const ReuseProblem &KernelAnalyses::storage() {
  if (!Storage)
    Storage = std::make_unique<const ReuseProblem>(K);
  return *Storage;
}
