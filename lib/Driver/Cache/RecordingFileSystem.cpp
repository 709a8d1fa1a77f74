// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Records file system queries. The order of operations matters: the stamp of a
/// file or folder is taken before it is used, so that a change in between makes
/// the stamp differ later, and not go unnoticed.
//===----------------------------------------------------------------------===//

#include "RecordingFileSystem.h"

#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace cudaopt;
using namespace llvm;

/// The coarsest resolution of file times that occurs, two seconds. A file that
/// changed within this time before we began may change again without a new
/// stamp.
static constexpr int64_t StampGrain = 2'000'000'000;

namespace cudaopt {

/// An open file that records its text when it is read.
class RecordedFile : public vfs::File {
public:
  RecordedFile(RecordingFileSystem &FS, std::string Path,
               std::unique_ptr<vfs::File> Inner, vfs::Status Stat,
               std::string Real)
      : FS(FS), Path(std::move(Path)), Inner(std::move(Inner)),
        Stat(std::move(Stat)), Real(std::move(Real)) {}

  ErrorOr<vfs::Status> status() override { return Stat; }
  ErrorOr<std::string> getName() override { return Real; }
  std::error_code close() override { return Inner->close(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>>
  getBuffer(const Twine &Name, int64_t Size, bool IsTerminated, bool) override {
    // A mapped file would change if somebody wrote to it.
    auto Buffer =
        Inner->getBuffer(Name, Size, IsTerminated, /*IsVolatile=*/true);
    if (Buffer)
      FS.noteText(Path, {Stat, Real, (*Buffer)->getBuffer().str()});
    return Buffer;
  }

private:
  RecordingFileSystem &FS;
  const std::string Path;
  const std::unique_ptr<vfs::File> Inner;
  const vfs::Status Stat;
  const std::string Real;
};

/// An open file that was read before; shows the same text.
class RememberedFile : public vfs::File {
public:
  RememberedFile(vfs::Status Stat, StringRef Real, StringRef Text)
      : Stat(std::move(Stat)), Real(Real), Text(Text) {}

  ErrorOr<vfs::Status> status() override { return Stat; }
  ErrorOr<std::string> getName() override { return Real.str(); }
  std::error_code close() override { return {}; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBufferCopy(Text, Name);
  }

private:
  const vfs::Status Stat;
  const StringRef Real, Text;
};

} // namespace cudaopt

static int64_t countNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

RecordingFileSystem::RecordingFileSystem(
    IntrusiveRefCntPtr<vfs::FileSystem> Disk, ArrayRef<std::string> Folders)
    : ProxyFileSystem(std::move(Disk)), SystemFolders(Folders),
      Begin(countNanoseconds()) {}

std::string RecordingFileSystem::makePath(const Twine &Path) const {
  SmallString<256> Result;
  Path.toVector(Result);
  if (makeAbsolute(Result))
    return Path.str();
  return Result.str().str();
}

/// Returns true if the stamp is so old that a later change cannot leave it the
/// same.
bool RecordingFileSystem::isSettled(const FileStamp &Stamp) const {
  return std::max(Stamp.Changed, Stamp.Modified) < Begin - StampGrain;
}

/// Returns what is known about \p Folder. It must be called before anything in
/// the folder is asked for.
const RecordingFileSystem::LookedAt &
RecordingFileSystem::lookAt(StringRef Folder) {
  auto [Place, IsNew] = Folders.try_emplace(Folder);
  LookedAt &Result = Place->second;
  if (!IsNew)
    return Result;
  const std::string Path = Folder.str();
  std::optional<FileStamp> Stamp = FileStamp::read(Path);
  if (!Stamp)
    return Result;
  Result.Exists = true;
  Result.IsDirectory = Stamp->IsDirectory;
  Result.Seen = {findRealPath(Path), *Stamp, isSettled(*Stamp)};
  Result.IsSystem = any_of(SystemFolders, [&](StringRef System) {
    return (Result.Seen.Real + "/").starts_with(System);
  });
  return Result;
}

/// Records that \p Path does not exist. If its folder does not exist either,
/// only that is recorded: it implies that all files in it are absent.
void RecordingFileSystem::noteAbsent(StringRef Path) {
  const StringRef Parent = sys::path::parent_path(Path);
  if (Parent.empty() || Parent == Path)
    return Facts.addAbsent(Path.str());
  const LookedAt &In = lookAt(Parent);
  if (!In.Exists) // This covers all other files in it, too.
    return noteAbsent(Parent);
  Facts.addAbsent(Path.str());
  if (In.IsSystem && In.IsDirectory)
    Facts.addFolder(Parent.str(), In.Seen);
}

static FileIdentity identify(const vfs::Status &Stat) {
  return {Stat.getUniqueID().getDevice(), Stat.getUniqueID().getFile()};
}

void RecordingFileSystem::notePresent(const std::string &Path,
                                      const vfs::Status &Stat) {
  FileStamp Stamp;
  Stamp.Id = identify(Stat);
  Facts.add(Path, {Stat.isDirectory() ? FileFacts::Kind::Directory
                                      : FileFacts::Kind::Present,
                   Stamp, "", ""});
}

/// Records a file by its stamp. Returns false if the stamp is not enough: the
/// file is not the system's, or it changed recently or meanwhile.
bool RecordingFileSystem::noteStamp(const std::string &Path,
                                    const FileStamp &Before,
                                    const vfs::Status &Stat, std::string Real) {
  const LookedAt &In = lookAt(sys::path::parent_path(Path));
  if (!In.IsSystem || !isSettled(Before) || Before.Id != identify(Stat) ||
      Before.Size != Stat.getSize())
    return false;
  Facts.addFolder(sys::path::parent_path(Path).str(), In.Seen);
  Facts.add(Path, {FileFacts::Kind::Stamp, Before, "", std::move(Real)});
  return true;
}

void RecordingFileSystem::noteText(const std::string &Path, Snapshot Read) {
  FileStamp Stamp;
  Stamp.Id = identify(Read.Stat);
  Facts.add(Path, {FileFacts::Kind::Contents, Stamp, hashContents(Read.Text),
                   Read.Real});
  Snapshots.try_emplace(Path, std::move(Read));
}

bool RecordingFileSystem::mentions(StringRef Word) const {
  return any_of(Snapshots, [&](const auto &Each) {
    return StringRef(Each.getValue().Text).contains(Word);
  });
}

void RecordingFileSystem::setText(StringRef Path, StringRef Text) {
  const std::string Name = makePath(Path);
  ErrorOr<std::unique_ptr<vfs::File>> File =
      ProxyFileSystem::openFileForRead(Name);
  ErrorOr<vfs::Status> Stat = File ? (*File)->status() : File.getError();
  ErrorOr<std::string> Real = File ? (*File)->getName() : File.getError();
  if (Stat && Real)
    noteText(Name, {vfs::Status::copyWithNewSize(*Stat, Text.size()), *Real,
                    Text.str()});
}

ErrorOr<vfs::Status> RecordingFileSystem::status(const Twine &Path) {
  const std::string Name = makePath(Path);
  if (auto Known = Snapshots.find(Name); Known != Snapshots.end())
    return vfs::Status::copyWithNewName(Known->second.Stat, Path);
  lookAt(sys::path::parent_path(Name));
  ErrorOr<vfs::Status> Stat = ProxyFileSystem::status(Path);
  if (Stat)
    notePresent(Name, *Stat);
  else
    noteAbsent(Name);
  return Stat;
}

bool RecordingFileSystem::exists(const Twine &Path) {
  return bool(status(Path));
}

/// System files whose stamp suffices are passed through; other files are
/// wrapped so that their text is recorded when somebody reads it. A file that
/// exists but cannot be opened makes the result uncacheable, since nothing
/// would tell when that changes.
ErrorOr<std::unique_ptr<vfs::File>>
RecordingFileSystem::openFileForRead(const Twine &Path) {
  const std::string Name = makePath(Path);
  if (auto Known = Snapshots.find(Name); Known != Snapshots.end())
    return std::make_unique<RememberedFile>(
        vfs::Status::copyWithNewName(Known->second.Stat, Path),
        Known->second.Real, Known->second.Text);
  lookAt(sys::path::parent_path(Name));
  const std::optional<FileStamp> Before = FileStamp::read(Name);
  ErrorOr<std::unique_ptr<vfs::File>> File =
      ProxyFileSystem::openFileForRead(Path);
  if (!File) {
    if (Before) // It exists, but we may not read it.
      Facts.setUnlasting();
    noteAbsent(Name);
    return File;
  }
  ErrorOr<vfs::Status> Stat = (*File)->status();
  ErrorOr<std::string> Real = (*File)->getName();
  if (!Stat || !Real) {
    Facts.setUnlasting();
    return File;
  }
  if (Stat->isRegularFile() && Before && noteStamp(Name, *Before, *Stat, *Real))
    return File;
  notePresent(Name, *Stat);
  if (!Stat->isRegularFile())
    return File;
  return std::make_unique<RecordedFile>(*this, Name, std::move(*File), *Stat,
                                        *Real);
}

vfs::directory_iterator RecordingFileSystem::dir_begin(const Twine &Path,
                                                       std::error_code &EC) {
  const std::string Name = makePath(Path);
  const LookedAt &In = lookAt(Name);
  if (!In.Exists) {
    noteAbsent(Name);
  } else {
    if (In.IsSystem && In.IsDirectory)
      Facts.addFolder(Name, In.Seen);
    Facts.addListing(Name, hashListing(Name));
  }
  return ProxyFileSystem::dir_begin(Path, EC);
}

std::error_code RecordingFileSystem::getRealPath(const Twine &Path,
                                                 SmallVectorImpl<char> &Real) {
  const std::error_code EC = ProxyFileSystem::getRealPath(Path, Real);
  Facts.addRealPath(makePath(Path),
                    EC ? "" : StringRef(Real.data(), Real.size()).str());
  return EC;
}

std::vector<std::string> cudaopt::listSystemFolders(StringRef CudaPath,
                                                    StringRef ResourceDir) {
  std::vector<std::string> Names = {"/usr/include", "/usr/lib", "/usr/lib64",
                                    "/usr/local/include"};
  if (!CudaPath.empty()) // It may be "/usr".
    for (StringRef Part : {"/include", "/targets", "/nvvm", "/lib64"})
      Names.push_back((CudaPath + Part).str());
  if (!ResourceDir.empty())
    Names.push_back(ResourceDir.str());
  std::vector<std::string> Folders;
  for (const std::string &Name : Names)
    if (std::string Real = findRealPath(Name); !Real.empty())
      Folders.push_back(Real + "/");
  return Folders;
}

std::string cudaopt::findToolkitOf(const clang::HeaderSearchOptions &Search) {
  for (const clang::HeaderSearchOptions::Entry &Folder : Search.UserEntries)
    if (FileStamp::read(Folder.Path + "/cuda_runtime_api.h"))
      return sys::path::parent_path(Folder.Path).str();
  return "";
}
