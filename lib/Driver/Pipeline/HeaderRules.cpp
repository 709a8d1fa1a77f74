// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rules for edits of included files. They depend on how the result is
/// delivered: text on standard output has no place for headers; files written
/// in place change for every includer; an overlay changes for one compilation.
//===----------------------------------------------------------------------===//

#include "HeaderRules.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

HeaderUse readHeaderUse(const Options &Opts) {
  if (!Opts.Overlay.empty())
    return Opts.LocalTemplates ? HeaderUse::OwnTemplates : HeaderUse::Own;
  const bool IsWritten =
      Opts.InPlace || Opts.Diff || Opts.Check || !Opts.OutputDir.empty();
  return IsWritten ? HeaderUse::Shared : HeaderUse::NotWritten;
}

std::optional<Refusal> findHeaderRefusal(SourceLocation Loc,
                                         const SourceManager &SM,
                                         const Options &Opts,
                                         const InclusionGraph &Inclusions) {
  const FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
  if (File == SM.getMainFileID())
    return std::nullopt;
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  if (!Entry || readHeaderUse(Opts) == HeaderUse::NotWritten)
    return Refusal{Reason::InHeader, Entry ? Entry->getName().str() : "", Loc};
  const std::string Path = Entry->getFileEntry().tryGetRealPathName().str();
  if (!Inclusions.mayChange(Path, Opts.HeaderFilter))
    return Refusal{Reason::HeaderNotNamed, Entry->getName().str(), Loc};
  if (Opts.Overlay.empty())
    return std::nullopt;
  if (std::string Obstacle = Inclusions.findObstacle(Path); !Obstacle.empty())
    return Refusal{Reason::HeaderNotReplaceable, std::move(Obstacle), Loc};
  return std::nullopt;
}

} // namespace cudaopt
