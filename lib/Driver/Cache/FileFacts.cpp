// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares recorded facts about files with the present. Which names lead to
/// the same file is a fact, too: with `#pragma once` clang reads a file once
/// whatever its names are, and it drops a search folder that it has already.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Cache/FileFacts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cudaopt;
using namespace llvm;

//===----------------------------------------------------------------------===//
// The file system
//===----------------------------------------------------------------------===//

static FileStamp makeStamp(const struct stat &Stat) {
  auto Count = [](const timespec &Time) {
    return int64_t(Time.tv_sec) * 1'000'000'000 + Time.tv_nsec;
  };
  return {{uint64_t(Stat.st_dev), uint64_t(Stat.st_ino)},
          uint64_t(Stat.st_size),
          Count(Stat.st_mtim),
          Count(Stat.st_ctim),
          S_ISDIR(Stat.st_mode)};
}

std::optional<FileStamp> FileStamp::read(const std::string &Path) {
  struct stat Stat;
  if (::stat(Path.c_str(), &Stat))
    return std::nullopt;
  return makeStamp(Stat);
}

std::optional<FileStamp> FileStamp::read(int Descriptor) {
  struct stat Stat;
  if (::fstat(Descriptor, &Stat))
    return std::nullopt;
  return makeStamp(Stat);
}

/// Returns where the open file \p Descriptor lies; one system call, unlike
/// realpath(3), which resolves every component.
static std::string findRealPath(int Descriptor) {
  char Target[PATH_MAX];
  const std::string Link = "/proc/self/fd/" + std::to_string(Descriptor);
  const ssize_t Length = ::readlink(Link.c_str(), Target, sizeof(Target));
  return Length < 0 ? "" : std::string(Target, Length);
}

std::string cudaopt::findRealPath(const std::string &Path) {
  const int Descriptor = ::open(Path.c_str(), O_PATH | O_CLOEXEC);
  if (Descriptor < 0)
    return "";
  std::string Real = ::findRealPath(Descriptor);
  ::close(Descriptor);
  return Real;
}

std::string cudaopt::hashContents(StringRef Text) {
  const auto Sum = BLAKE3::hash<16>(arrayRefFromStringRef(Text));
  return std::string(Sum.begin(), Sum.end());
}

std::string cudaopt::hashListing(const std::string &Path) {
  std::vector<std::string> Names;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Path, EC), End; !EC && I != End;
       I.increment(EC))
    Names.push_back(sys::path::filename(I->path()).str() + '/' +
                    std::to_string(int(I->type())));
  if (EC)
    return "";
  std::sort(Names.begin(), Names.end());
  return hashContents(join(Names, "\n"));
}

namespace {

/// The current state of a file.
struct FileNow {
  FileStamp Stamp;
  std::string Real, Sum;
};

} // namespace

static std::optional<FileNow> readFile(const std::string &Path) {
  // Opening must not block if the file has become a pipe.
  const int Descriptor =
      ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (Descriptor < 0)
    return std::nullopt;
  scope_exit Close([&] { ::close(Descriptor); });
  struct stat Stat;
  if (::fstat(Descriptor, &Stat) || !S_ISREG(Stat.st_mode))
    return std::nullopt;
  SmallVector<char, 0> Text;
  if (Error E = sys::fs::readNativeFileToEOF(Descriptor, Text)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return FileNow{makeStamp(Stat), ::findRealPath(Descriptor),
                 hashContents(StringRef(Text.data(), Text.size()))};
}

//===----------------------------------------------------------------------===//
// What was found out
//===----------------------------------------------------------------------===//

/// Merges a fact with what is already known of \p Path. A path that was looked
/// at twice with different results changed in between, so that no parse can
/// have seen one consistent state; then the set is contradictory.
void FileFacts::add(const std::string &Path, Fact New) {
  auto [Place, IsNew] = Facts.try_emplace(Path, New);
  if (IsNew)
    return;
  Fact &Old = Place->second;
  const bool IsFile = Old.What >= Kind::Present && New.What >= Kind::Present;
  if (Old.What != New.What && !IsFile)
    IsContradictory = true; // It appeared or vanished.
  if (Old.What != Kind::Absent && Old.Stamp.Id != New.Stamp.Id)
    IsContradictory = true;
  if (Old.What == Kind::Contents && New.What == Kind::Contents)
    IsContradictory |= Old.Sum != New.Sum || Old.Real != New.Real;
  if (Old.What == Kind::Stamp && New.What == Kind::Stamp)
    IsContradictory |= Old.Stamp != New.Stamp;
  // A hash of the contents is the stronger fact: a stamp may have been set
  // since.
  if (New.What >= Kind::Present && Old.What != Kind::Contents)
    if (Old.What == Kind::Present || New.What == Kind::Contents)
      Old = std::move(New);
}

void FileFacts::addFolder(const std::string &Path, Folder New) {
  auto [Place, IsNew] = Folders.try_emplace(Path, New);
  Folder &Old = Place->second;
  IsContradictory |= Old.Real != New.Real;
  // What was seen in the folder may be older or newer than the change.
  if (!IsNew && Old.Stamp != New.Stamp)
    Old.IsSettled = false;
}

void FileFacts::addRealPath(const std::string &Path, std::string Real) {
  IsContradictory |= RealPaths.try_emplace(Path, Real).first->second != Real;
}

void FileFacts::addListing(const std::string &Path, std::string Sum) {
  IsContradictory |= Listings.try_emplace(Path, Sum).first->second != Sum;
}

void FileFacts::add(const FileFacts &Others) {
  for (const auto &[Path, Each] : Others.Facts)
    add(Path, Each);
  for (const auto &[Path, Each] : Others.Folders)
    addFolder(Path, Each);
  for (const auto &[Path, Each] : Others.RealPaths)
    addRealPath(Path, Each);
  for (const auto &[Path, Each] : Others.Listings)
    addListing(Path, Each);
  IsUnlasting |= Others.IsUnlasting;
  IsContradictory |= Others.IsContradictory;
}

void FileFacts::addText(const std::string &Path, StringRef Text) {
  std::optional<FileStamp> Stamp = FileStamp::read(Path);
  if (!Stamp)
    IsContradictory = true;
  else
    add(Path, {Kind::Contents, *Stamp, hashContents(Text), findRealPath(Path)});
}

void FileFacts::addAbsent(const std::string &Path) {
  add(Path, {Kind::Absent, {}, "", ""});
}

std::vector<std::string> FileFacts::listReadFiles() const {
  std::vector<std::string> Names;
  for (const auto &[Path, Each] : Facts)
    if (Each.What == Kind::Contents || Each.What == Kind::Stamp)
      Names.push_back(Each.Real);
  return Names;
}

std::vector<std::string> FileFacts::listContents() const {
  std::vector<std::string> Names;
  for (const auto &[Path, Each] : Facts)
    if (Each.What == Kind::Contents)
      Names.push_back(Each.Real);
  return Names;
}

namespace {

/// Checks that the identities of files now correspond one to one to those at
/// recording time. Device and inode numbers may differ (another checkout, a
/// rebuilt container), but two names of one file must still lead to one file,
/// and two files must still be two.
class IdentityMap {
public:
  bool agrees(const FileIdentity &Then, const FileIdentity &Now) {
    return ToNow.try_emplace(makeKey(Then), Now).first->second == Now &&
           ToThen.try_emplace(makeKey(Now), Then).first->second == Then;
  }

private:
  using Key = std::pair<uint64_t, uint64_t>;
  static Key makeKey(const FileIdentity &Id) { return {Id.Device, Id.Inode}; }

  DenseMap<Key, FileIdentity> ToNow, ToThen;
};

} // namespace

/// Returns true if \p Then still holds for \p Path.
static bool isSame(const std::string &Path, const FileFacts::Fact &Then,
                   IdentityMap &Identities) {
  using Kind = FileFacts::Kind;
  if (Then.What == Kind::Contents) {
    std::optional<FileNow> Now = readFile(Path);
    return Now && Now->Sum == Then.Sum && Now->Real == Then.Real &&
           Identities.agrees(Then.Stamp.Id, Now->Stamp.Id);
  }
  const std::optional<FileStamp> Now = FileStamp::read(Path);
  if (Then.What == Kind::Absent)
    return !Now;
  if (!Now || Now->IsDirectory != (Then.What == Kind::Directory))
    return false;
  if (Then.What == Kind::Stamp && *Now != Then.Stamp)
    return false;
  return Identities.agrees(Then.Stamp.Id, Now->Id);
}

/// Checks the facts in the order of their cost: real paths and stamps of
/// folders first, since an unchanged folder answers all questions for absent
/// files in it, then the files, then listings.
bool FileFacts::hold() const {
  if (IsContradictory)
    return false;
  // A lookup that failed in a folder need not be repeated while the folder's
  // stamp is unchanged: this spares thousands of calls for the header search.
  StringMap<bool> IsUnchanged; // Folders.
  for (const auto &[Path, Then] : Folders) {
    if (findRealPath(Path) != Then.Real)
      return false;
    IsUnchanged[Path] = Then.IsSettled && FileStamp::read(Path) == Then.Stamp;
  }
  auto IsInUnchanged = [&](StringRef Path) {
    auto Found = IsUnchanged.find(sys::path::parent_path(Path));
    return Found != IsUnchanged.end() && Found->getValue();
  };
  IdentityMap Identities;
  for (const auto &[Path, Then] : Facts)
    if (!(Then.What == Kind::Absent && IsInUnchanged(Path)) &&
        !isSame(Path, Then, Identities))
      return false;
  for (const auto &[Path, Then] : RealPaths)
    if (findRealPath(Path) != Then)
      return false;
  for (const auto &[Path, Then] : Listings) {
    auto Found = IsUnchanged.find(Path);
    if ((Found == IsUnchanged.end() || !Found->getValue()) &&
        hashListing(Path) != Then)
      return false;
  }
  return true;
}

void FileFacts::renew() {
  for (auto &[Path, Each] : Facts)
    if (Each.What != Kind::Absent && Each.What != Kind::Stamp)
      if (const std::optional<FileStamp> Now = FileStamp::read(Path))
        Each.Stamp.Id = Now->Id;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {

class FactWriter {
public:
  void put(uint64_t Number) { Writer.write(Number); }
  void put(StringRef Text) {
    put(Text.size());
    OS << Text;
  }
  void put(const FileStamp &S) {
    for (uint64_t Number :
         {S.Id.Device, S.Id.Inode, S.Size, uint64_t(S.Modified),
          uint64_t(S.Changed), uint64_t(S.IsDirectory)})
      put(Number);
  }
  void put(const std::map<std::string, std::string> &Map) {
    put(Map.size());
    for (const auto &[Key, Value] : Map) {
      put(Key);
      put(Value);
    }
  }
  std::string Bytes;

private:
  raw_string_ostream OS{Bytes};
  support::endian::Writer Writer{OS, endianness::little};
};

/// Reads back what FactWriter wrote. Past the end of the data everything reads
/// as zero or empty, and the reader converts to false.
class FactReader {
public:
  explicit FactReader(StringRef Bytes)
      : Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8) {}
  ~FactReader() { consumeError(At.takeError()); }
  uint64_t number() { return Data.getU64(At); }
  std::string text() { return Data.getBytes(At, number()).str(); }
  FileStamp stamp() {
    FileStamp S;
    S.Id.Device = number();
    S.Id.Inode = number();
    S.Size = number();
    S.Modified = number();
    S.Changed = number();
    S.IsDirectory = number();
    return S;
  }
  std::map<std::string, std::string> map() {
    std::map<std::string, std::string> Result;
    for (uint64_t Left = number(); Left && At; --Left) {
      std::string Key = text();
      Result.emplace_hint(Result.end(), std::move(Key), text());
    }
    return Result;
  }
  explicit operator bool() { return bool(At); }
  bool isAtEnd() { return At && Data.eof(At); }

private:
  DataExtractor Data;
  DataExtractor::Cursor At{0};
};

} // namespace

/// Writes little-endian 64-bit numbers, and strings preceded by their length.
/// There is no version: the question of a cache entry has one.
std::string FileFacts::pack() const {
  FactWriter To;
  To.put(IsUnlasting);
  To.put(IsContradictory);
  To.put(Facts.size());
  for (const auto &[Path, Each] : Facts) {
    To.put(Path);
    To.put(uint64_t(Each.What));
    if (Each.What != Kind::Absent)
      To.put(Each.Stamp);
    To.put(Each.Sum);
    To.put(Each.Real);
  }
  To.put(Folders.size());
  for (const auto &[Path, Each] : Folders) {
    To.put(Path);
    To.put(Each.Real);
    To.put(Each.Stamp);
    To.put(Each.IsSettled);
  }
  To.put(RealPaths);
  To.put(Listings);
  return std::move(To.Bytes);
}

std::optional<FileFacts> FileFacts::unpack(StringRef Bytes) {
  FactReader From(Bytes);
  FileFacts Result;
  Result.IsUnlasting = From.number();
  Result.IsContradictory = From.number();
  for (uint64_t Left = From.number(); Left && From; --Left) {
    std::string Path = From.text();
    Fact Each{Kind(From.number()), {}, "", ""};
    if (Each.What != Kind::Absent)
      Each.Stamp = From.stamp();
    Each.Sum = From.text();
    Each.Real = From.text();
    Result.Facts.emplace_hint(Result.Facts.end(), std::move(Path),
                              std::move(Each));
  }
  for (uint64_t Left = From.number(); Left && From; --Left) {
    std::string Path = From.text();
    Folder Each{From.text(), {}, false};
    Each.Stamp = From.stamp();
    Each.IsSettled = From.number();
    Result.Folders.emplace_hint(Result.Folders.end(), std::move(Path),
                                std::move(Each));
  }
  Result.RealPaths = From.map();
  Result.Listings = From.map();
  if (!From.isAtEnd())
    return std::nullopt;
  return Result;
}
