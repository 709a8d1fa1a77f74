// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Takes a batch of kernels through cuda-opt and compares the results with the
/// originals. One parse and one compilation serve all kernels of the batch.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_BATCH_H
#define CUDAOPT_FUZZ_BATCH_H

#include "Kernel.h"
#include "KernelText.h"
#include "Mutants.h"

#include "cudaopt/Driver/Command/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace cudaopt::fuzz {

/// What happened to a kernel.
enum class Outcome : uint8_t {
  Kept,        ///< cuda-opt left it unchanged, and it was not compared.
  ProvedEqual, ///< This and the next four are verdicts of the interpreter.
  EqualOn,
  Different,
  OriginalIsBroken,
  Unsupported,
  DoesNotCompile, ///< The rewritten text does not compile.
  Crashed,
};
inline constexpr unsigned NumOutcomes = 8;
llvm::StringRef nameOf(Outcome What);

/// A mutant of a rewritten kernel, and whether the comparison noticed.
struct MutantResult {
  MutantKind Kind;
  Outcome What;
  std::string Detail;
  std::string Text; ///< Set for survivors only.

  bool survives() const {
    return What != Outcome::Different && What != Outcome::ProvedEqual;
  }
};

/// The result of one kernel.
struct KernelResult {
  uint64_t Number = 0;
  FeatureSet Features;
  bool IsRewritten = false;
  Outcome What = Outcome::Kept;
  std::string Detail;
  uint64_t Sum = 0; ///< A hash of both texts and the outcome.
  std::vector<MutantResult> Mutants;
  /// What cuda-opt's checks said about a plan that they refused. This is not a
  /// failure, because nothing wrong was written.
  std::string Refusal;

  /// A kernel with features may have defects of its own; then its result says
  /// nothing about cuda-opt.
  bool isDiscarded() const {
    return What == Outcome::OriginalIsBroken && Features.any();
  }
  bool isFailure() const {
    return What == Outcome::Different || What == Outcome::DoesNotCompile ||
           What == Outcome::Crashed ||
           (What == Outcome::OriginalIsBroken && !isDiscarded());
  }
};

/// How a batch is run.
struct BatchOptions {
  const char *Executable = nullptr; ///< argv[0].
  cudaopt::Options Pipeline;        ///< The options of cuda-opt.
  uint64_t Seed = 0;                ///< Selects the mutants.
  bool MakesMutants = false;
  /// Otherwise, one unchanged kernel in KeptPeriod is compared.
  bool ComparesAll = false;
  /// If set, mutants replace the output of cuda-opt, as if it were wrong.
  std::optional<MutantKind> Planted;
};
inline constexpr unsigned KeptPeriod = 16;

/// Runs a batch. An error means that nothing could be compared: the originals
/// do not compile, or clang is not installed.
llvm::Expected<std::vector<KernelResult>>
runBatch(llvm::ArrayRef<Kernel> Kernels, const BatchOptions &Options);

/// Returns the text that cuda-opt makes of \p K.
llvm::Expected<std::string> rewriteText(const Kernel &K,
                                        const BatchOptions &Options);

/// A kernel, and the text that cuda-opt makes of it.
struct KernelPair {
  KernelText Original;
  std::string Rewritten; ///< The rewritten Original.Text.
};
/// Returns the pairs of all \p Kernels, made by one parse.
llvm::Expected<std::vector<KernelPair>>
makePairs(llvm::ArrayRef<Kernel> Kernels, const BatchOptions &Options);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_BATCH_H
