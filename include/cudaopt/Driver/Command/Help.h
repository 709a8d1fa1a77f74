// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The tool's own documentation: help, manual page, shell completions, and
/// explanations of passes and of the reasons in reports. All lists are
/// generated from the tables by which the command line is parsed, so that they
/// cannot fall behind.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_COMMAND_HELP_H
#define CUDAOPT_DRIVER_COMMAND_HELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace cudaopt {

void printHelp(llvm::raw_ostream &OS);

/// Prints the manual page in roff, for `man -l -`.
void printManPage(llvm::StringRef Version, llvm::raw_ostream &OS);

/// Fails if \p Shell is not bash or zsh.
llvm::Error printCompletion(llvm::StringRef Shell, llvm::raw_ostream &OS);

void printPasses(llvm::raw_ostream &OS);

/// Explains \p Topic: a pass, or the identifier of a reason or decision as it
/// stands in reports ("no-conflict"). Lists all topics if \p Topic is empty;
/// fails if nothing is called that.
llvm::Error explain(llvm::StringRef Topic, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_COMMAND_HELP_H
