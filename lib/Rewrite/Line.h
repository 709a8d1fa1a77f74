// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lines of the source, for text that gets lines of its own.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LINE_H
#define CUDAOPT_LIB_REWRITE_LINE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class SourceManager;
}

namespace cudaopt {

/// How a line begins and ends.
struct LineStyle {
  llvm::StringRef Indent; ///< Blanks before its first token.
  llvm::StringRef Break;  ///< What ends lines in its file.

  /// What stands between a line in front of this one and its first token.
  std::string next() const { return (Break + Indent).str(); }
};

/// The line that \p Loc is the first token of; nothing if others stand before
/// it, or if a macro wrote it.
std::optional<LineStyle> findLineStart(clang::SourceLocation Loc,
                                       const clang::SourceManager &SM);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LINE_H
