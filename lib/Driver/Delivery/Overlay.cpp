// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds overlays from edits and the inclusion graph, packs them, and writes
/// and removes their folders.
///
/// The folder lies beside the product in a place that other users may be able
/// to write to, and under a name that the user may have used. So only folders
/// that carry our marker are cleaned, links are never followed, and everything
/// is done relative to a descriptor that was checked once.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Delivery/Overlay.h"
#include "cudaopt/Source/LineDirectives.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

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
  std::string Main; ///< The real path of the main file.
  /// The names in the folder, by real path.
  std::map<std::string, std::string> Names;
};

} // namespace

/// Chooses the files of the overlay, and their names, which are numbered
/// because files of several folders may have the same name.
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
  auto Buffer = Result.Inclusions->readFile(Path);
  if (!Buffer)
    return createStringError("'" + Path + "': " + Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

/// Adds edits that make \p Path include the new texts of other files. An
/// #include that found a file beside the includer, and would not find it from
/// the overlay's folder, is changed to name the old file by its full path.
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

/// A file's parts: its name, that of its original, and its text.
static constexpr size_t NumOverlayParts = 3;

std::string packOverlay(ArrayRef<OverlayFile> Files, ProgramNeed Need) {
  msgpack::Document Document;
  msgpack::ArrayDocNode Root = Document.getRoot().getArray(/*Convert=*/true);
  for (const OverlayFile &File : Files)
    for (const std::string &Part : {File.Name, File.Original, File.Text})
      Root.push_back(Document.getNode(Part, /*Copy=*/true));
  Root.push_back(Document.getNode(uint64_t(Need)));
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
  for (size_t I = 0; I + NumOverlayParts <= Root.size(); I += NumOverlayParts) {
    if (!all_of(seq(NumOverlayParts),
                [&](size_t Part) { return Root[I + Part].isString(); }))
      return createStringError("what was rewritten has no text");
    Files.push_back({Root[I].getString().str(), Root[I + 1].getString().str(),
                     Root[I + 2].getString().str()});
  }
  return Files;
}

ProgramNeed unpackProgramNeed(StringRef Bytes) {
  msgpack::Document Document;
  if (!Document.readFromBlob(Bytes, /*Multi=*/false) ||
      !Document.getRoot().isArray())
    return ProgramNeed::Rests;
  msgpack::ArrayDocNode Root = Document.getRoot().getArray();
  // The need follows the parts of the files.
  const size_t Last = Root.size() - 1;
  return Root.size() % NumOverlayParts == 1 &&
                 Root[Last].getKind() == msgpack::Type::UInt
             ? ProgramNeed(Root[Last].getUInt())
             : ProgramNeed::Rests;
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

namespace {

/// The folder of one compilation. It is opened once, and never through a link,
/// so that files which somebody puts in its place meanwhile, or links into it,
/// are neither written nor removed.
class OverlayFolder {
public:
  /// Opens the folder at \p Path; isOpen() is false if there is none.
  static Expected<OverlayFolder> open(const std::string &Path);
  OverlayFolder(OverlayFolder &&Other) noexcept
      : Descriptor(std::exchange(Other.Descriptor, -1)) {}
  ~OverlayFolder() {
    if (Descriptor >= 0)
      ::close(Descriptor);
  }

  bool isOpen() const { return Descriptor >= 0; }
  /// Returns true if the folder was made for texts of ours.
  bool isOwn() const {
    return !::faccessat(Descriptor, Marker, F_OK, AT_SYMLINK_NOFOLLOW);
  }
  /// Marks the folder as ours if it is empty; a user may have a folder of this
  /// name.
  Error claim() const;
  /// Removes all files that are not in \p Kept: those of earlier runs, and of
  /// runs that were killed.
  void clean(ArrayRef<OverlayFile> Kept) const;
  /// Removes the marker, so that the folder is no longer ours.
  void release() const { (void)::unlinkat(Descriptor, Marker, 0); }
  Error write(const OverlayFile &File) const;

private:
  explicit OverlayFolder(int Descriptor) : Descriptor(Descriptor) {}
  bool holds(const OverlayFile &File) const;
  std::vector<std::string> list() const;

  /// The file that marks a folder as ours.
  static constexpr char Marker[] = ".made-by-cuda-opt";
  int Descriptor;
};

} // namespace

/// Fails for a link, and for a folder of another user.
Expected<OverlayFolder> OverlayFolder::open(const std::string &Path) {
  const int Folder =
      ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (Folder < 0 && errno == ENOENT)
    return OverlayFolder(-1);
  // With O_DIRECTORY, opening a link fails as if it were no folder.
  if (Folder < 0 && sys::fs::is_symlink_file(Path))
    return createStringError("'" + Path + "' is a symbolic link");
  if (Folder < 0)
    return createStringError("'" + Path + "': " + std::strerror(errno));
  OverlayFolder Result(Folder);
  struct stat Stat;
  if (::fstat(Folder, &Stat) || Stat.st_uid != ::geteuid())
    return createStringError("'" + Path + "' belongs to another user");
  return Result;
}

std::vector<std::string> OverlayFolder::list() const {
  std::vector<std::string> Names;
  const int Copy = ::fcntl(Descriptor, F_DUPFD_CLOEXEC, 0);
  DIR *Listing = Copy < 0 ? nullptr : ::fdopendir(Copy);
  if (!Listing)
    return Names;
  ::rewinddir(Listing);
  while (const dirent *Entry = ::readdir(Listing))
    if (const StringRef Name = Entry->d_name; Name != "." && Name != "..")
      Names.push_back(Name.str());
  ::closedir(Listing);
  return Names;
}

Error OverlayFolder::claim() const {
  if (isOwn())
    return Error::success();
  if (!list().empty())
    return createStringError("holds files that are not cuda-opt's");
  const int File = ::openat(Descriptor, Marker,
                            O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (File < 0)
    return createStringError(std::strerror(errno));
  ::close(File);
  return Error::success();
}

void OverlayFolder::clean(ArrayRef<OverlayFile> Kept) const {
  for (const std::string &Name : list())
    if (Name != Marker &&
        none_of(Kept, [&](const OverlayFile &F) { return F.Name == Name; }))
      (void)::unlinkat(Descriptor, Name.c_str(), 0); // Folders are not removed.
}

/// Returns true if the folder has a file with the name and text of \p File. It
/// is then left untouched, because compiler caches compare times.
bool OverlayFolder::holds(const OverlayFile &File) const {
  const int Old = ::openat(Descriptor, File.Name.c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (Old < 0)
    return false;
  scope_exit Close([&] { ::close(Old); });
  struct stat Stat;
  if (::fstat(Old, &Stat) || !S_ISREG(Stat.st_mode) || Stat.st_nlink != 1)
    return false;
  auto Buffer = MemoryBuffer::getOpenFile(Old, File.Name, Stat.st_size,
                                          /*RequiresNullTerminator=*/false);
  return Buffer && (*Buffer)->getBuffer() == File.Text;
}

/// Writes a new file and renames it, so that a compiler which still reads the
/// old one is not disturbed.
Error OverlayFolder::write(const OverlayFile &File) const {
  if (holds(File))
    return Error::success();
  const std::string New = File.Name + "." + std::to_string(::getpid()) + ".tmp";
  (void)::unlinkat(Descriptor, New.c_str(), 0);
  const int To = ::openat(Descriptor, New.c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          0666); // The process's mask applies.
  std::error_code EC(errno, std::generic_category());
  if (To >= 0) {
    raw_fd_ostream OS(To, /*shouldClose=*/true);
    OS << File.Text;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  if (!EC && ::renameat(Descriptor, New.c_str(), Descriptor, File.Name.c_str()))
    EC = std::error_code(errno, std::generic_category());
  if (!EC)
    return Error::success();
  (void)::unlinkat(Descriptor, New.c_str(), 0);
  return createFileError(File.Name, EC);
}

/// Creates or reopens the folder, claims it, and replaces its contents; files
/// that have not changed keep their times.
Error writeOverlay(StringRef Folder, ArrayRef<OverlayFile> Files) {
  // If the product's own folder is missing, the compiler shall report that.
  if (std::error_code EC = sys::fs::create_directory(Folder))
    return createStringError("cannot create '" + Folder + "': " + EC.message());
  Expected<OverlayFolder> Opened = OverlayFolder::open(Folder.str());
  if (!Opened)
    return Opened.takeError();
  if (!Opened->isOpen())
    return createStringError("'" + Folder + "' was removed");
  if (Error E = Opened->claim())
    return createStringError("'" + Folder + "' " + toString(std::move(E)));
  Opened->clean(Files);
  for (const OverlayFile &File : Files)
    if (Error E = Opened->write(File))
      return E;
  return Error::success();
}

void removeOverlay(StringRef Folder) {
  Expected<OverlayFolder> Opened = OverlayFolder::open(Folder.str());
  if (!Opened)
    return consumeError(Opened.takeError());
  if (!Opened->isOpen() || !Opened->isOwn())
    return;
  Opened->clean({});
  Opened->release();
  (void)::rmdir(Folder.str().c_str()); // Fails if the path is a link.
}

} // namespace cudaopt
