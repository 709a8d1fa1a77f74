// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Source/Line.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

std::optional<LineStyle> findLineStart(SourceLocation Loc,
                                       const SourceManager &SM) {
  if (!Loc.isFileID())
    return std::nullopt;
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  const StringRef Before = SM.getBufferData(File).take_front(Offset);
  const StringRef Indent = Before.substr(Before.rfind('\n') + 1);
  if (!Indent.trim(" \t").empty())
    return std::nullopt;
  const bool IsCrLf = Before.drop_back(Indent.size()).ends_with("\r\n");
  return LineStyle{Indent, IsCrLf ? "\r\n" : "\n"};
}

SourceLocation findPosition(const SourceManager &SM, SourceLocation Near,
                            StringRef File, unsigned Line, unsigned Column) {
  const FileID Id = SM.getFileID(SM.getExpansionLoc(Near));
  const auto Entry = SM.getFileEntryRefForID(Id);
  if (!Line || !Entry || llvm::sys::path::filename(Entry->getName()) != File)
    return {};
  return SM.translateLineCol(Id, Line, Column);
}

} // namespace cudaopt
