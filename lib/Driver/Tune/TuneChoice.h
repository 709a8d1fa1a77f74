// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Chooses for each kernel the variant of the program in which it does best.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_TUNECHOICE_H
#define CUDAOPT_LIB_DRIVER_TUNE_TUNECHOICE_H

#include "ProgramVariant.h"
#include "cudaopt/Driver/Tune/TuneCommand.h"

#include "llvm/ADT/ArrayRef.h"

namespace cudaopt {

/// The choice for one kernel.
struct KernelChoice {
  std::string Kernel;
  /// The variant that is chosen; that of the default if none is better.
  size_t Best = 0;
};

/// Chooses for each of \p Kernels whose decisions differ among \p Variants; the
/// first of them is that of the default, with which the others are compared.
/// Another one is chosen only if it is better by 1 percent, and by more than
/// both spread.
std::vector<KernelChoice>
chooseVariants(llvm::ArrayRef<ProgramVariant> Variants,
               llvm::ArrayRef<std::string> Kernels, TuneObjective Objective);

/// Returns the energies of the runs, or the products with the times of the
/// kernels.
Sample measureRuns(const ProgramVariant &Variant, TuneObjective Objective);

/// Returns true if \p New is better than \p Old beyond their spread.
bool isBetter(const Sample &New, const Sample &Old);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_TUNECHOICE_H
