// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes files atomically and prints unified diffs.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_DELIVERY_OUTPUT_H
#define CUDAOPT_DRIVER_DELIVERY_OUTPUT_H

#include "cudaopt/Source/Edits.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace cudaopt {

/// Writes \p Text to \p Path atomically, by renaming a temporary file. Keeps
/// the mode of an existing file, follows symbolic links, and does not touch a
/// file that already has this text, so that builds see no change.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text);

/// Returns \p Path escaped for a dependency file of make.
std::string escapeForMake(llvm::StringRef Path);

/// Returns true if output to \p OS shall be coloured. \p Choice is the value of
/// --color: auto, always or never; with auto, the environment variables
/// NO_COLOR and CLICOLOR_FORCE take precedence over whether \p OS is a
/// terminal.
bool wantsColors(llvm::StringRef Choice, llvm::raw_ostream &OS);

/// Prints the unified diff, with three lines of context as `diff -u`, that
/// applying \p Edits to \p Before makes.
void printDiff(llvm::StringRef Path, llvm::StringRef Before,
               const FileEdits &Edits, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_DELIVERY_OUTPUT_H
