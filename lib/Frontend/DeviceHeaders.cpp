// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceHeaders.h"
#include "RecordingFileSystem.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <array>

using namespace cudaopt;
using namespace clang;
using llvm::StringRef;

bool cudaopt::hasToolkitName(StringRef Path) {
  static constexpr llvm::StringLiteral Names[] = {
      "thrust", "cub", "cuda", "cuda.h", "cudaopt", "nv", "c++"};
  return llvm::any_of(
      llvm::make_range(llvm::sys::path::begin(Path),
                       llvm::sys::path::end(Path)),
      [](StringRef Part) { return llvm::is_contained(Names, Part); });
}

bool cudaopt::hasDeviceCode(StringRef Text) {
  return Text.contains("__device__") || Text.contains("__global__");
}

namespace {

class DeviceHeaderOpener : public PPCallbacks {
public:
  explicit DeviceHeaderOpener(Preprocessor &PP) : PP(PP) {}

  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID) override {
    SourceManager &SM = PP.getSourceManager();
    const FileID File = SM.getFileID(Loc);
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    if (Reason != EnterFile || !SrcMgr::isSystem(Kind) || !Entry ||
        isOfToolkit(*Entry))
      return;
    const StringRef Text = SM.getBufferData(File);
    HasDevice |= hasDeviceCode(Text);
    if (!HasDevice)
      return;
    const unsigned Name = SM.getLineTableFilenameID(Entry->getName());
    SM.AddLineNote(SM.getLocForStartOfFile(File), 2, Name,
                   /*IsFileEntry=*/false,
                   /*IsFileExit=*/false, SrcMgr::C_User);
  }

private:
  bool isOfToolkit(FileEntryRef Entry) {
    if (!Folders) {
      const HeaderSearchOptions &Search =
          PP.getHeaderSearchInfo().getHeaderSearchOpts();
      const std::string Toolkit = findToolkitOf(Search);
      Folders = listSystemFolders(Toolkit, Search.ResourceDir);
      if (!Toolkit.empty()) // It may consist of links.
        Folders->push_back(Toolkit + "/");
    }
    return llvm::any_of(
        std::array<StringRef, 2>{Entry.getFileEntry().tryGetRealPathName(),
                                 Entry.getName()},
        [&](StringRef Path) {
          return Path.starts_with("/cuda-opt/") || hasToolkitName(Path) ||
                 llvm::any_of(*Folders, [&](StringRef Folder) {
                   return Path.starts_with(Folder);
                 });
        });
  }

  Preprocessor &PP;
  std::optional<std::vector<std::string>> Folders;
  bool HasDevice = false;
};

} // namespace

std::unique_ptr<PPCallbacks>
cudaopt::createDeviceHeaderOpener(Preprocessor &PP) {
  return std::make_unique<DeviceHeaderOpener>(PP);
}
