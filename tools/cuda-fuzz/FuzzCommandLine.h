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

#include "cudaopt/Frontend/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>

namespace cudaopt::fuzz {

struct FuzzCommandLine {
  const char *Executable = nullptr; ///< argv[0].
  uint64_t Seed = 1, First = 0, Count = 1000;
  unsigned Jobs = 0; ///< 0: as many as there are processors.
  unsigned Batch = 50;
  std::string Keep;          ///< Folder for the texts of failures.
  cudaopt::Options Pipeline; ///< Of cuda-opt.
  std::optional<MutantKind> Planted;
  FeatureSet Features = FeatureSet().set(); ///< That kernels may have.
  std::string Shim;       ///< File for the kernels as C++ of the host.
  std::string Device;     ///< File for the kernels as a program for a GPU.
  bool HasPhases = false; ///< Kernels whose arrays live in turn.
  IdiomSet Idioms;        ///< If any, kernels of them.
  bool Mutants = false, PrintsKernels = false, IsQuiet = false, IsHelp = false;
};

/// Reads argv. An error is one for the user to mend.
llvm::Expected<FuzzCommandLine>
parseFuzzCommandLine(llvm::ArrayRef<const char *> Arguments);

void printFuzzHelp(llvm::raw_ostream &OS);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_FUZZCOMMANDLINE_H
