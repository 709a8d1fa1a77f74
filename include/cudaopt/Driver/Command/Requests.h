// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Requests that ask the tool for something else than a rewrite: --help,
/// --doctor, --dump-config and others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_COMMAND_REQUESTS_H
#define CUDAOPT_DRIVER_COMMAND_REQUESTS_H

#include "cudaopt/Driver/Driver.h"

namespace cudaopt {

/// Answers the request Line.What, which is neither Run nor Launch. \p Version
/// is the tool's version.
ExitCode answerRequest(const CommandLine &Line, llvm::StringRef Version);

/// Checks the installation and prints a line for each part of it. Returns an
/// error code if something that is needed is missing.
ExitCode runDoctor(const CommandLine &Line, llvm::StringRef Version,
                   llvm::raw_ostream &OS);

/// Returns the toolkit that --cuda-path names, otherwise the one that is found.
llvm::Expected<Toolkit> findStatedToolkit(const CommandLine &Line);

/// Prints a line for each needed part of the installation that is missing.
void printMissing(const CommandLine &Line, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_COMMAND_REQUESTS_H
