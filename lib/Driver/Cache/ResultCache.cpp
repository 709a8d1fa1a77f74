// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// An entry is a file that is named by the hash of its question. It consists of
/// a checksum and a msgpack array of the words and the packed facts about
/// files.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Cache/ResultCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cudaopt;
using namespace llvm;

/// Permission bits that let others write.
static constexpr mode_t MayWrite = S_IWGRP | S_IWOTH;

static std::string findFolder() {
  if (std::optional<std::string> Named =
          sys::Process::GetEnv("CUDAOPT_CACHE_DIR"))
    return *Named;
  SmallString<128> Folder;
  if (!sys::path::cache_directory(Folder))
    return "";
  sys::path::append(Folder, "cudaopt");
  return Folder.str().str();
}

/// Opens \p Folder. Returns a negative number, with errno set, if it cannot be
/// opened; an error if others may control its contents. Everything in the cache
/// is executed in the end, as code that gets compiled, so that it must be the
/// user's own.
static Expected<int> openFolder(const std::string &Folder) {
  const int Opened = ::open(Folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Opened < 0)
    return Opened;
  struct stat Stat;
  const char *Why = nullptr;
  if (::fstat(Opened, &Stat))
    Why = "it cannot be examined";
  else if (Stat.st_uid != ::geteuid())
    Why = "it belongs to another user";
  else if (Stat.st_mode & MayWrite)
    Why = "other users may write to it (chmod go-w)";
  if (!Why)
    return Opened;
  ::close(Opened);
  return createStringError("the cache folder '" + Folder +
                           "' is not used: " + Why);
}

Error ResultCache::checkFolder() {
  const std::string Folder = findFolder();
  if (Folder.empty())
    return Error::success();
  Expected<int> Opened = openFolder(Folder);
  if (!Opened)
    return Opened.takeError();
  if (*Opened >= 0)
    ::close(*Opened);
  return Error::success();
}

/// Each word is hashed with its length in front, so that different lists of
/// words cannot give the same bytes.
ResultCache::ResultCache(ArrayRef<std::string> Question)
    : Folder(findFolder()) {
  if (Folder.empty())
    return;
  if (Error Distrust = checkFolder()) {
    consumeError(std::move(Distrust));
    return;
  }
  BLAKE3 Hash;
  for (const std::string &Word : Question) {
    Hash.update(std::to_string(Word.size()) + ":");
    Hash.update(Word);
  }
  // LLVM prunes only files with this prefix.
  Name = "llvmcache-" + toHex(Hash.final<16>(), true);
}

/// Returns the checksum with which an entry begins.
static std::string checksum(StringRef Text) {
  return toHex(BLAKE3::hash<16>(arrayRefFromStringRef(Text)), true);
}

/// Returns the bytes of an entry, provided that nobody else can have written
/// it; otherwise null.
static std::unique_ptr<MemoryBuffer> readOwn(const std::string &Folder,
                                             const std::string &Name) {
  Expected<int> In = openFolder(Folder);
  if (!In) {
    consumeError(In.takeError());
    return nullptr;
  }
  if (*In < 0)
    return nullptr;
  const int File = ::openat(*In, Name.c_str(),
                            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  ::close(*In);
  if (File < 0)
    return nullptr;
  scope_exit Close([&] { ::close(File); });
  struct stat Stat;
  if (::fstat(File, &Stat) || !S_ISREG(Stat.st_mode) ||
      Stat.st_uid != ::geteuid() || (Stat.st_mode & MayWrite))
    return nullptr;
  auto Buffer = MemoryBuffer::getOpenFile(File, Name, Stat.st_size,
                                          /*RequiresNullTerminator=*/false);
  return Buffer ? std::move(*Buffer) : nullptr;
}

/// The parts of an entry: its words, and the facts.
enum { WordsPart, SeenPart, NumParts };

/// Reads the entry, verifies its checksum, and checks that its facts still
/// hold.
std::optional<CacheEntry> ResultCache::findEntry() const {
  if (!isOpen())
    return std::nullopt;
  CacheEntry Entry;
  Entry.Buffer = readOwn(Folder, Name);
  if (!Entry.Buffer)
    return std::nullopt;
  StringRef Text = Entry.Buffer->getBuffer();
  const StringRef Sum = Text.take_front(checksum("").size());
  Text = Text.drop_front(Sum.size());
  msgpack::Document Said;
  if (Sum != checksum(Text) || !Said.readFromBlob(Text, /*Multi=*/false) ||
      !Said.getRoot().isArray())
    return std::nullopt;
  msgpack::ArrayDocNode All = Said.getRoot().getArray();
  if (All.size() != NumParts || !All[WordsPart].isArray() ||
      !All[SeenPart].isString())
    return std::nullopt; // An older version has written it.
  for (msgpack::DocNode &Word : All[WordsPart].getArray())
    Entry.Words.push_back(Word.getString());
  std::optional<FileFacts> Seen = FileFacts::unpack(All[SeenPart].getString());
  if (!Seen || !Seen->hold())
    return std::nullopt;
  Entry.Seen = std::move(*Seen);
  return Entry;
}

std::optional<RewriteResult> ResultCache::find() const {
  std::optional<CacheEntry> Entry = findEntry();
  if (!Entry)
    return std::nullopt;
  return RewriteResult{Entry->Words[0].str(), Entry->Words[1].str()};
}

/// Writes a file that only the user can access, atomically.
static void writeOwn(const Twine &Path, StringRef Text) {
  Expected<sys::fs::TempFile> New = sys::fs::TempFile::create(
      Path + "-%%%%%%.tmp", sys::fs::owner_read | sys::fs::owner_write);
  if (!New)
    return consumeError(New.takeError());
  raw_fd_ostream OS(New->FD, /*shouldClose=*/false);
  OS << Text;
  OS.flush();
  const bool IsWritten = !OS.has_error();
  OS.clear_error();
  if (!IsWritten)
    return consumeError(New->discard());
  if (Error NotKept = New->keep(Path)) {
    consumeError(std::move(NotKept));
    consumeError(New->discard());
  }
}

void ResultCache::rememberEntry(ArrayRef<StringRef> Words,
                                const FileFacts &Seen) const {
  if (!isOpen() || !Seen.isLasting())
    return;
  msgpack::Document Entry;
  msgpack::ArrayDocNode All = Entry.getRoot().getArray(/*Convert=*/true);
  msgpack::ArrayDocNode Said = Entry.getArrayNode();
  for (StringRef Word : Words)
    Said.push_back(Entry.getNode(Word));
  All.push_back(Said);
  const std::string Packed = Seen.pack();
  All.push_back(Entry.getNode(StringRef(Packed)));
  if (sys::fs::create_directories(Folder, /*IgnoreExisting=*/true,
                                  sys::fs::owner_all))
    return;
  std::string Text;
  Entry.writeToBlob(Text);
  writeOwn(Folder + "/" + Name, checksum(Text) + Text);
  pruneCache(Folder, CachePruningPolicy());
}

CacheLock::~CacheLock() {
  if (Descriptor >= 0)
    ::close(Descriptor);
}

/// One file holds the locks of all questions, one byte each: locks need no
/// clean-up, because the system releases those of a process that dies. Two
/// questions may share a byte, which only makes one wait.
std::optional<CacheLock> ResultCache::lock() const {
  if (!isOpen() || sys::fs::create_directories(Folder, /*IgnoreExisting=*/true,
                                               sys::fs::owner_all))
    return CacheLock();
  const int File =
      ::open((Folder + "/locks").c_str(),
             O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (File < 0)
    return CacheLock();
  CacheLock Lock(File);
  struct flock Range = {};
  Range.l_type = F_WRLCK;
  Range.l_whence = SEEK_SET;
  Range.l_start = xxh3_64bits(Name) >> 2;
  Range.l_len = 1;
  if (::fcntl(File, F_OFD_SETLK, &Range) &&
      (errno == EAGAIN || errno == EACCES))
    return std::nullopt;
  return Lock;
}

void ResultCache::remember(const RewriteResult &Result,
                           const FileFacts &Seen) const {
  rememberEntry({Result.Product, Result.Messages}, Seen);
}
