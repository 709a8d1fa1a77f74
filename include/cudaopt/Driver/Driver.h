// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The driver of the tool: runs the pipeline on every file of a command line
/// and delivers the results.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_DRIVER_H
#define CUDAOPT_DRIVER_DRIVER_H

#include "cudaopt/Driver/Command/CommandLine.h"

namespace cudaopt {

/// The tool's exit codes; a run of several files returns the highest one.
enum ExitCode {
  ExitDone = 0,
  ExitWouldChange = 1, ///< --check found a file that would change.
  ExitBadCommand = 2,
  ExitBadInput = 3, ///< A file could not be parsed, read or written.
  ExitOurBug = 70,  ///< A check refuted a rewrite, which was then not made.
};

/// The words of the warning that nvcc could not tell the resources of kernels.
inline constexpr llvm::StringLiteral NotComparedText =
    "resources were not compared";

/// Does what \p Line asks for. Products go to standard output; remarks,
/// warnings and summaries go to standard error.
ExitCode runDriver(const CommandLine &Line);

/// Prints "cuda-opt: error: \p Message" on one line and returns \p Code.
ExitCode reportError(ExitCode Code, llvm::Error Message);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_DRIVER_H
