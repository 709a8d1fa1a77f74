// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The lines to which the passes are restricted: --line-filter names them,
/// --changed-lines asks git which lines differ from a commit.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_COMMAND_CHANGEDLINES_H
#define CUDAOPT_DRIVER_COMMAND_CHANGEDLINES_H

#include "cudaopt/Model/SourceMarks.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace cudaopt {

/// Parses `[{"name": "a.cu", "lines": [[1, 9]]}]`, the format of clang-tidy's
/// -line-filter. Ranges are inclusive and count from 1; a file without "lines"
/// is selected as a whole.
llvm::Expected<LineFilter> parseLineFilter(llvm::StringRef Json);

/// Parses a text that validate() has accepted already; std::nullopt if it is
/// empty.
std::optional<LineFilter> readLineFilter(llvm::StringRef Json);

/// Returns, as text for --line-filter, the lines that differ from commit \p Ref
/// in the git repositories that contain \p Files. A file that git does not
/// track counts as changed as a whole. Fails if git is missing or reports an
/// error.
llvm::Expected<std::string> findChangedLines(llvm::StringRef Ref,
                                             llvm::ArrayRef<std::string> Files);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_COMMAND_CHANGEDLINES_H
