// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Shows what was measured: a table for people, JSON for programs.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_TUNEREPORT_H
#define CUDAOPT_LIB_DRIVER_TUNE_TUNEREPORT_H

#include "TuneChoice.h"
#include "cudaopt/Driver/Tune/PinnedChoices.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace cudaopt {

/// Prints the variants, and the kernels of \p Choices with the time of a launch
/// in each; the first variant is that without flags.
void printVariants(llvm::ArrayRef<ProgramVariant> Variants,
                   llvm::ArrayRef<KernelChoice> Choices, llvm::raw_ostream &OS);

/// Returns all that was measured.
llvm::json::Value toJSON(llvm::ArrayRef<ProgramVariant> Variants,
                         llvm::ArrayRef<PinnedKernel> Pins);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_TUNEREPORT_H
