// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What became of kernels: as a child process tells it, and counted.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_RESULTS_H
#define CUDAOPT_FUZZ_RESULTS_H

#include "Batch.h"

#include "llvm/Support/raw_ostream.h"
#include <array>
#include <optional>

namespace cudaopt::fuzz {

std::string writeResults(llvm::ArrayRef<KernelResult> Results);
/// Nothing if \p Text is not what writeResults wrote.
std::optional<std::vector<KernelResult>> readResults(llvm::StringRef Text);

/// Counts of a run.
class Tally {
public:
  void add(const KernelResult &Result);
  bool hasFailures() const;
  /// The summary, a line on features and on mutants if there were any, and a
  /// sum that another run of the same kernels can be compared by.
  void print(llvm::raw_ostream &OS, double Seconds) const;

private:
  void printFeatures(llvm::raw_ostream &OS) const;
  void printMutants(llvm::raw_ostream &OS) const;

  uint64_t Kernels = 0, Rewritten = 0, Pairs = 0;
  std::array<uint64_t, NumOutcomes> Outcomes = {};
  struct MutantCount {
    uint64_t Killed = 0, Equal = 0, Survived = 0;
  };
  std::array<MutantCount, NumMutantKinds> Mutants = {};
  struct FeatureCount {
    uint64_t Kernels = 0, Rewritten = 0, Discarded = 0, Failures = 0;
  };
  std::array<FeatureCount, NumFeatures> Features = {};
  uint64_t Discarded = 0, Refused = 0;
  uint64_t Sum = 0; ///< The same in whatever order kernels are added.
};

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_RESULTS_H
