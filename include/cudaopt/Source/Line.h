// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The lines of a source: how inserted text gets lines of its own, and where a
/// line and a column are.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_LINE_H
#define CUDAOPT_SOURCE_LINE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace clang {
class SourceManager;
}

namespace cudaopt {

/// How a line is indented and ended.
struct LineStyle {
  llvm::StringRef Indent; ///< The blanks before its first token.
  llvm::StringRef Break;  ///< The line end that its file uses.

  /// Returns what separates an inserted line from the first token of this one.
  std::string next() const { return (Break + Indent).str(); }
};

/// Returns the line whose first token is at \p Loc; std::nullopt if other
/// tokens stand before it, or a macro writes it.
std::optional<LineStyle> findLineStart(clang::SourceLocation Loc,
                                       const clang::SourceManager &SM);

/// Returns the position \p Line and \p Column, as debug information has it, in
/// the file of \p Near; invalid if that file's name does not end with the
/// component \p File.
clang::SourceLocation findPosition(const clang::SourceManager &SM,
                                   clang::SourceLocation Near,
                                   llvm::StringRef File, unsigned Line,
                                   unsigned Column);

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_LINE_H
