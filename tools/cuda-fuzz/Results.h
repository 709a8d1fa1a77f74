// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The results of kernels, in the form in which a child process sends them, and
/// the totals of a run.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_RESULTS_H
#define CUDAOPT_FUZZ_RESULTS_H

#include "Batch.h"

#include "llvm/Support/raw_ostream.h"
#include <array>
#include <optional>

namespace cudaopt::fuzz {

std::string writeResults(llvm::ArrayRef<KernelResult> Results);
/// Parses \p Text; std::nullopt if writeResults() did not write it.
std::optional<std::vector<KernelResult>> readResults(llvm::StringRef Text);

/// The totals of a run.
class Tally {
public:
  void add(const KernelResult &Result);
  bool hasFailures() const;
  /// Prints the summary, lines about features and mutants if there were any,
  /// and a sum by which another run of the same kernels can be compared.
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
  uint64_t Sum = 0; ///< Independent of the order in which kernels are added.
};

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_RESULTS_H
