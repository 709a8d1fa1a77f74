// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// `--kernels`: checks each kernel of a file by itself, with made-up arguments.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_KERNELFILE_H
#define CUDASIM_KERNELFILE_H

#include "SimCommandLine.h"

#include "llvm/Support/raw_ostream.h"

namespace cudaopt::cudasim {

/// Checks the kernels of all files and prints the verdicts to \p OS. Returns
/// the exit code; an error if a file does not compile or has no kernel.
llvm::Expected<int> checkKernels(const SimCommandLine &Line,
                                 llvm::raw_ostream &OS);

} // namespace cudaopt::cudasim

#endif // CUDASIM_KERNELFILE_H
