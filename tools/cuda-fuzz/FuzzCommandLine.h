// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command line of cuda-fuzz.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_FUZZCOMMANDLINE_H
#define CUDAOPT_FUZZ_FUZZCOMMANDLINE_H

#include "Feature.h"
#include "Idiom.h"
#include "Mutants.h"

#include "cudaopt/Driver/Command/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>

namespace cudaopt::fuzz {

/// The values of the options. First and Count select the numbers of the
/// kernels.
struct FuzzCommandLine {
  const char *Executable = nullptr; ///< argv[0].
  uint64_t Seed = 1, First = 0, Count = 1000;
  unsigned Jobs = 0; ///< 0 means one per processor.
  unsigned Batch = 50;
  std::string Keep;          ///< The folder for the texts of failures.
  cudaopt::Options Pipeline; ///< The options of cuda-opt.
  std::optional<MutantKind> Planted;
  /// The features that kernels may have.
  FeatureSet Features = FeatureSet().set();
  std::string Shim; ///< The file that receives the kernels as C++ of the host.
  /// The file that receives the kernels as a program for a GPU.
  std::string Device;
  bool HasPhases = false; ///< Generate kernels of many phases.
  IdiomSet Idioms;        ///< If not empty, generate kernels of these idioms.
  bool Mutants = false, PrintsKernels = false, IsQuiet = false, IsHelp = false;
};

/// Parses argv. Errors are meant for the user.
llvm::Expected<FuzzCommandLine>
parseFuzzCommandLine(llvm::ArrayRef<const char *> Arguments);

void printFuzzHelp(llvm::raw_ostream &OS);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_FUZZCOMMANDLINE_H
