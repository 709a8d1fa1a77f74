// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Takes a batch of kernels through cuda-opt and compares what comes out with
/// what went in: one parse and one compilation for all of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_BATCH_H
#define CUDAOPT_FUZZ_BATCH_H

#include "Kernel.h"
#include "KernelText.h"
#include "Mutants.h"

#include "cudaopt/Frontend/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace cudaopt::fuzz {

enum class Outcome : uint8_t {
  Kept,        ///< Not compared: cuda-opt left it as it was.
  ProvedEqual, ///< This and the next four are verdicts.
  EqualOn,
  Different,
  OriginalIsBroken,
  Unsupported,
  DoesNotCompile, ///< The text that cuda-opt made.
  Crashed,
};
inline constexpr unsigned NumOutcomes = 8;
llvm::StringRef nameOf(Outcome What);

struct MutantResult {
  MutantKind Kind;
  Outcome What;
  std::string Detail;
  std::string Text; ///< Only of survivors.

  bool survives() const {
    return What != Outcome::Different && What != Outcome::ProvedEqual;
  }
};

struct KernelResult {
  uint64_t Number = 0;
  FeatureSet Features;
  bool IsRewritten = false;
  Outcome What = Outcome::Kept;
  std::string Detail;
  uint64_t Sum = 0; ///< Over both texts and the outcome.
  std::vector<MutantResult> Mutants;
  /// What the checks of cuda-opt said of a plan of its own, if they refused
  /// one: no failure, as nothing wrong was written.
  std::string Refusal;

  /// A kernel with features may have defects of its own: it says nothing.
  bool isDiscarded() const {
    return What == Outcome::OriginalIsBroken && Features.any();
  }
  bool isFailure() const {
    return What == Outcome::Different || What == Outcome::DoesNotCompile ||
           What == Outcome::Crashed ||
           (What == Outcome::OriginalIsBroken && !isDiscarded());
  }
};

struct BatchOptions {
  const char *Executable = nullptr; ///< argv[0].
  cudaopt::Options Pipeline;        ///< Of cuda-opt.
  uint64_t Seed = 0;                ///< Of the choice of mutants.
  bool MakesMutants = false;
  bool ComparesAll = false; ///< Else one kept kernel in KeptPeriod.
  /// Mutants take the place of what cuda-opt wrote, as if it were wrong.
  std::optional<MutantKind> Planted;
};
inline constexpr unsigned KeptPeriod = 16;

/// An error means that nothing could be compared: the originals do not compile,
/// or clang is not installed.
llvm::Expected<std::vector<KernelResult>>
runBatch(llvm::ArrayRef<Kernel> Kernels, const BatchOptions &Options);

/// The text that cuda-opt makes of \p K.
llvm::Expected<std::string> rewriteText(const Kernel &K,
                                        const BatchOptions &Options);

/// A kernel, and what cuda-opt makes of it.
struct KernelPair {
  KernelText Original;
  std::string Rewritten; ///< Of Original.Text.
};
/// The pairs of all \p Kernels, from one parse.
llvm::Expected<std::vector<KernelPair>>
makePairs(llvm::ArrayRef<Kernel> Kernels, const BatchOptions &Options);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_BATCH_H
