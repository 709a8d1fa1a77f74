// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns system headers with device code into user headers by adding line notes
/// to clang's source manager while it enters them.
//===----------------------------------------------------------------------===//

#include "DeviceHeaders.h"
#include "Cache/RecordingFileSystem.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

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

  /// Headers are entered by an #include or, in text that was preprocessed
  /// before, by a line marker: `# 1 "turn.h" 1 3`.
  void FileChanged(SourceLocation Loc, FileChangeReason Reason,
                   SrcMgr::CharacteristicKind Kind, FileID Last) override {
    SourceManager &SM = PP.getSourceManager();
    const PresumedLoc Place = SM.getPresumedLoc(Loc);
    // Only line markers have no previous file. After an #include has ended, the
    // including file is already classified.
    const bool IsReturn = Reason == ExitFile && Last.isValid();
    if (!SrcMgr::isSystem(Kind) || Reason == SystemHeaderPragma || IsReturn ||
        Place.isInvalid())
      return;
    const FileID File = SM.getFileID(Loc);
    // Clang's predefined macros are not in a file, but have markers, too.
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    if (!Entry || isOfToolkit(*Entry, Place.getFilename()))
      return;
    const bool IsMarker = SM.getFileOffset(Loc) != 0;
    HasDevice |= IsMarker || hasDeviceCode(SM.getBufferData(File));
    if (!HasDevice)
      return;
    SM.AddLineNote(Loc, Place.getLine() + 1,
                   SM.getLineTableFilenameID(Place.getFilename()),
                   /*IsFileEntry=*/false,
                   /*IsFileExit=*/false, SrcMgr::C_User);
  }

private:
  /// Returns true for files of the toolkit, of clang or of the system, by their
  /// presumed or their real names.
  bool isOfToolkit(FileEntryRef Entry, StringRef Presumed) {
    if (!Folders) {
      const HeaderSearchOptions &Search =
          PP.getHeaderSearchInfo().getHeaderSearchOpts();
      const std::string Toolkit = findToolkitOf(Search);
      Folders = listSystemFolders(Toolkit, Search.ResourceDir);
      if (!Toolkit.empty()) // The toolkit folder may consist of links.
        Folders->push_back(Toolkit + "/");
    }
    auto IsKnown = [&](StringRef Path) {
      return Path.starts_with("/cuda-opt/") || hasToolkitName(Path) ||
             llvm::any_of(*Folders, [&](StringRef Folder) {
               return Path.starts_with(Folder);
             });
    };
    return IsKnown(Presumed) ||
           IsKnown(Entry.getFileEntry().tryGetRealPathName());
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
