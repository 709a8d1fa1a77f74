// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the tool can be asked for instead of a rewrite.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_REQUESTS_H
#define CUDAOPT_FRONTEND_REQUESTS_H

#include "cudaopt/Frontend/Driver.h"

namespace cudaopt {

/// Answers Line.What, which is neither Run nor Launch. \p Version is that of
/// the tool.
ExitCode answerRequest(const CommandLine &Line, llvm::StringRef Version);

/// Checks the installation, and prints a line for each part of it. Fails if
/// something that is needed is missing.
ExitCode runDoctor(const CommandLine &Line, llvm::StringRef Version,
                   llvm::raw_ostream &OS);

/// The toolkit of --cuda-path, if the command line has it, else the one found.
llvm::Expected<Toolkit> findStatedToolkit(const CommandLine &Line);

/// Prints a line for each part of an installation that is needed and missing.
void printMissing(const CommandLine &Line, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_REQUESTS_H
