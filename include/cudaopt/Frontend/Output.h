// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Delivers rewritten text: to a file, in place, to a folder, or as a diff.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_OUTPUT_H
#define CUDAOPT_FRONTEND_OUTPUT_H

#include "cudaopt/Rewrite/Edits.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace cudaopt {

/// Writes \p Text to \p Path, all or nothing (a temporary file is renamed);
/// keeps the mode of an existing file, follows a symbolic link, and leaves a
/// file alone that already has this text.
llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text);

/// Returns \p Path as it stands in a dependency file.
std::string escapeForMake(llvm::StringRef Path);

/// True if what goes to \p OS shall have colours: \p Choice is auto, always or
/// never. NO_COLOR and CLICOLOR_FORCE decide instead of the terminal.
bool wantsColors(llvm::StringRef Choice, llvm::raw_ostream &OS);

/// Prints the unified diff (three lines of context, as `diff -u`) that \p Edits
/// make to \p Before.
void printDiff(llvm::StringRef Path, llvm::StringRef Before,
               const FileEdits &Edits, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_OUTPUT_H
