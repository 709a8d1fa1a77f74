// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Frontend/Overlay.h"
#include "cudaopt/Frontend/Output.h"
#include "cudaopt/Rewrite/LineDirectives.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

namespace {

class OverlayBuilder {
public:
  OverlayBuilder(StringRef File, StringRef Text, const PipelineResult &Result)
      : File(File), Text(Text), Result(Result) {
    SmallString<128> Real;
    if (!sys::fs::real_path(File, Real))
      Main = Real.str().str();
  }

  Expected<std::vector<OverlayFile>> build();

private:
  Error nameFiles();
  Expected<std::string> readText(const std::string &Path) const;
  Error addIncludes(const std::string &Path, StringRef Before,
                    FileEdits &Edits) const;

  StringRef File, Text;
  const PipelineResult &Result;
  std::string Main;                         ///< Its real path.
  std::map<std::string, std::string> Names; ///< In the folder, by real path.
};

} // namespace

/// Numbers the files, since several may have one name.
Error OverlayBuilder::nameFiles() {
  InclusionGraph::Files Changed;
  for (const auto &[Path, Edits] : Result.Edits)
    if (!Edits.empty())
      Changed.insert(Path);
  if (Changed.empty())
    return Error::success();
  if (std::string Other = Result.Inclusions->findAmbiguity(); !Other.empty())
    return createStringError("beside it lies a file for which " + Other +
                             " would be taken");
  for (const std::string &Path : Changed)
    if (Path != Main)
      if (std::string Why = Result.Inclusions->findObstacle(Path); !Why.empty())
        return createStringError("'" + Path + "' cannot be replaced: " + Why);
  unsigned Number = 0;
  for (const std::string &Path : Result.Inclusions->findClosure(Changed))
    if (Path != Main)
      Names[Path] = (Twine(++Number) + "." + sys::path::filename(Path)).str();
  Names[Main] = sys::path::filename(File).str();
  return Error::success();
}

Expected<std::string> OverlayBuilder::readText(const std::string &Path) const {
  auto Known = Result.Sources.find(Path);
  if (Known != Result.Sources.end())
    return Known->second;
  if (Path == Main)
    return Text.str();
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("'" + Path + "': " + Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

/// Adds edits that make \p Path include the new texts of others, and the old
/// texts of those that lay beside it and no longer do.
Error OverlayBuilder::addIncludes(const std::string &Path, StringRef Before,
                                  FileEdits &Edits) const {
  if (Names.size() == 1)
    return Error::success();
  for (const IncludeText &Include : scanIncludes(Before).Includes) {
    std::optional<std::string> Target =
        Result.Inclusions->resolve(Path, Include);
    if (!Target)
      continue;
    auto New = Names.find(*Target);
    const bool WasBeside =
        Path != Main && Result.Inclusions->isBeside(Path, Include);
    if (New == Names.end() && !WasBeside)
      continue;
    const std::string &Name = New == Names.end() ? *Target : New->second;
    if (StringRef(Name).find_first_of("\"\n") != StringRef::npos)
      return createStringError("no #include can name '" + Name + "'");
    Edits[Include.Offset] = {Include.Offset, Include.Length, '"' + Name + '"'};
  }
  return Error::success();
}

Expected<std::vector<OverlayFile>> OverlayBuilder::build() {
  if (Error E = nameFiles())
    return std::move(E);
  std::vector<OverlayFile> Files;
  for (const auto &[Path, Name] : Names) {
    Expected<std::string> Before = readText(Path);
    if (!Before)
      return Before.takeError();
    FileEdits Edits;
    if (auto Own = Result.Edits.find(Path); Own != Result.Edits.end())
      Edits = Own->second;
    if (Error E = addIncludes(Path, *Before, Edits))
      return std::move(E);
    OverlayFile Each = {
        Name, Path == Main ? File.str() : Result.Inclusions->nameOf(Path), ""};
    Each.Text = applyWithLineDirectives(Each.Original, *Before, Edits);
    Files.insert(Path == Main ? Files.begin() : Files.end(), std::move(Each));
  }
  return Files;
}

Expected<std::vector<OverlayFile>> buildOverlay(StringRef File, StringRef Text,
                                                const PipelineResult &Result) {
  return OverlayBuilder(File, Text, Result).build();
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

std::string packOverlay(ArrayRef<OverlayFile> Files) {
  msgpack::Document Document;
  msgpack::ArrayDocNode Root = Document.getRoot().getArray(/*Convert=*/true);
  for (const OverlayFile &File : Files)
    for (const std::string &Part : {File.Name, File.Original, File.Text})
      Root.push_back(Document.getNode(Part, /*Copy=*/true));
  std::string Bytes;
  Document.writeToBlob(Bytes);
  return Bytes;
}

Expected<std::vector<OverlayFile>> unpackOverlay(StringRef Bytes) {
  msgpack::Document Document;
  std::vector<OverlayFile> Files;
  if (!Document.readFromBlob(Bytes, /*Multi=*/false) ||
      !Document.getRoot().isArray())
    return createStringError("what was rewritten cannot be read");
  msgpack::ArrayDocNode Root = Document.getRoot().getArray();
  constexpr size_t NumParts = 3;
  for (size_t I = 0; I + NumParts <= Root.size(); I += NumParts) {
    if (!all_of(seq(NumParts),
                [&](size_t Part) { return Root[I + Part].isString(); }))
      return createStringError("what was rewritten has no text");
    Files.push_back({Root[I].getString().str(), Root[I + 1].getString().str(),
                     Root[I + 2].getString().str()});
  }
  return Files;
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// Removes the files of \p Folder that are not in \p Kept: of earlier runs, and
/// of runs that were killed.
static void cleanFolder(StringRef Folder, ArrayRef<OverlayFile> Kept) {
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; !EC && I != End;
       I.increment(EC))
    if (none_of(Kept, [&](const OverlayFile &File) {
          return sys::path::filename(I->path()) == File.Name;
        }))
      (void)sys::fs::remove(I->path());
}

Error writeOverlay(StringRef Folder, ArrayRef<OverlayFile> Files) {
  // The product's own folder is the compiler's to miss.
  if (std::error_code EC = sys::fs::create_directory(Folder))
    return createStringError("cannot create '" + Folder + "': " + EC.message());
  cleanFolder(Folder, Files);
  for (const OverlayFile &File : Files) {
    SmallString<128> Path(Folder);
    sys::path::append(Path, File.Name);
    if (Error E = writeFile(Path, File.Text))
      return E;
  }
  return Error::success();
}

void removeOverlay(StringRef Folder) {
  if (!sys::fs::is_directory(Folder))
    return;
  cleanFolder(Folder, {});
  (void)sys::fs::remove(Folder);
}

} // namespace cudaopt
