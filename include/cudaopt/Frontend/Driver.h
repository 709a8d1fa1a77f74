// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the pipeline on the files of a command line.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_DRIVER_H
#define CUDAOPT_FRONTEND_DRIVER_H

#include "cudaopt/Frontend/CommandLine.h"

namespace cudaopt {

/// What the tool returns to the shell; the highest of its files' codes.
enum ExitCode {
  ExitDone = 0,
  ExitWouldChange = 1, ///< --check found something.
  ExitBadCommand = 2,
  ExitBadInput = 3, ///< A file did not parse, or was not read or written.
  ExitOurBug = 70,  ///< A rewrite turned out to be wrong, and was not made.
};

/// Does what \p Line asks for. Products go to standard output, all else to
/// standard error.
ExitCode runDriver(const CommandLine &Line);

/// Prints "cuda-opt: error: \p Message", one line.
ExitCode reportError(ExitCode Code, llvm::Error Message);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_DRIVER_H
