// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// `cuda-opt tune`: measures variants of a program on the GPU of this machine,
/// and pins the best one of each kernel in a file .cuda-opt (docs/Tune.md).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_TUNE_TUNE_H
#define CUDAOPT_DRIVER_TUNE_TUNE_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cudaopt {

/// Does what \p Words, those behind `cuda-opt tune`, ask for; \p Executable is
/// argv[0]. Returns the exit code: 0; 2 for a wrong command line; 3 if
/// something cannot be built, run or measured, and then nothing is pinned; or
/// ends by the signal that asked it to end.
int runTune(llvm::ArrayRef<std::string> Words, const char *Executable);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_TUNE_TUNE_H
