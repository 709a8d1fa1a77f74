// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The lines to work on: --line-filter says them, --changed-lines asks git.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_CHANGEDLINES_H
#define CUDAOPT_FRONTEND_CHANGEDLINES_H

#include "cudaopt/Model/SourceMarks.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace cudaopt {

/// Reads [{"name": "a.cu", "lines": [[1, 9]]}], as clang-tidy has it; without
/// lines, all lines of the file.
llvm::Expected<LineFilter> parseLineFilter(llvm::StringRef Json);

/// The same of a text that has been read before; nothing if it is empty.
std::optional<LineFilter> readLineFilter(llvm::StringRef Json);

/// Returns, as text for --line-filter, the lines of the repositories around
/// \p Files that differ from commit \p Ref. Files that git does not know have
/// changed as a whole.
llvm::Expected<std::string> findChangedLines(llvm::StringRef Ref,
                                             llvm::ArrayRef<std::string> Files);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_CHANGEDLINES_H
