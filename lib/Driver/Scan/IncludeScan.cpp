// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Scans directives by clang's dependency scanner, which is much faster than a
/// preprocessor run and keeps the directives in inactive regions.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Scan/IncludeScan.h"

#include "clang/Basic/TokenKinds.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace scan = clang::dependency_directives_scan;

namespace cudaopt {

ScannedIncludes scanIncludes(StringRef Text) {
  ScannedIncludes Result;
  SmallVector<scan::Token, 0> Tokens;
  SmallVector<scan::Directive, 0> Directives;
  if (clang::scanSourceForDependencyDirectives(Text, Tokens, Directives)) {
    Result.IsUnusual = true;
    return Result;
  }
  for (const scan::Directive &Each : Directives) {
    if (Each.Kind == scan::pp_include_next || Each.Kind == scan::pp_import ||
        Each.Kind == scan::pp___include_macros)
      Result.IsUnusual = true;
    for (const scan::Token &T : Each.Tokens)
      Result.IsUnusual |=
          T.is(clang::tok::raw_identifier) &&
          Text.substr(T.Offset, T.Length).starts_with("__has_include");
    if (Each.Kind != scan::pp_include)
      continue;
    const scan::Token *Name = find_if(Each.Tokens, [&](const scan::Token &T) {
      const char First = Text[T.Offset];
      return First == '"' || First == '<';
    });
    if (Name == Each.Tokens.end()) {
      Result.IsUnusual = true;
      continue;
    }
    StringRef Written = Text.substr(Name->Offset, Name->Length);
    Result.Includes.push_back({Written.drop_front().drop_back().str(),
                               Written.front() == '"', Name->Offset,
                               Name->Length});
  }
  return Result;
}

std::optional<std::string> findInclude(StringRef Spelled, StringRef Folder,
                                       ArrayRef<std::string> Search,
                                       vfs::FileSystem &Disk) {
  auto Try = [&](StringRef In) -> std::optional<std::string> {
    SmallString<128> Path(In);
    sys::path::append(Path, Spelled);
    ErrorOr<vfs::Status> Stat = Disk.status(Path);
    if (!Stat || !Stat->isRegularFile())
      return std::nullopt;
    return Path.str().str();
  };
  if (!Folder.empty())
    if (auto Beside = Try(Folder))
      return Beside;
  for (StringRef In : Search)
    if (auto Found = Try(In))
      return Found;
  return std::nullopt;
}

} // namespace cudaopt
