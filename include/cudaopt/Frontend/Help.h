// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the tool says of itself: help, manual page, completions of shells, and
/// explanations of what it reports. All lists are the tables that are also read
/// by the parser of the command line.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_HELP_H
#define CUDAOPT_FRONTEND_HELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace cudaopt {

void printHelp(llvm::raw_ostream &OS);

/// In roff, for man.
void printManPage(llvm::StringRef Version, llvm::raw_ostream &OS);

/// Fails if \p Shell is not bash or zsh.
llvm::Error printCompletion(llvm::StringRef Shell, llvm::raw_ostream &OS);

void printPasses(llvm::raw_ostream &OS);

/// Explains a pass, or a reason or decision by its identifier, as it stands in
/// reports; lists them all if \p Topic is empty.
llvm::Error explain(llvm::StringRef Topic, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_HELP_H
