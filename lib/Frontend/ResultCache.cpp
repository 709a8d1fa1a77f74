// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Entries are files named by the hash of the question: a checksum, and words.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/ResultCache.h"
#include "cudaopt/Frontend/Output.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace cudaopt;
using namespace llvm;

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

ResultCache::ResultCache(ArrayRef<std::string> Question) {
  SmallString<128> File(findFolder());
  if (File.empty())
    return;
  BLAKE3 Hash;
  for (const std::string &Word : Question) {
    Hash.update(Word);
    Hash.update(StringRef("\0", 1));
  }
  // LLVM prunes files of this prefix only.
  sys::path::append(File, "llvmcache-" + toHex(Hash.final<16>(), true));
  Path = File.str().str();
}

/// What tells whether a file is the one it was; negative if there is none.
static int64_t stamp(const Twine &File, uint64_t &Size) {
  sys::fs::file_status Status;
  if (sys::fs::status(File, Status))
    return -1;
  Size = Status.getSize();
  return Status.getLastModificationTime().time_since_epoch().count();
}

/// What an entry begins with.
static std::string checksum(StringRef Text) {
  return toHex(BLAKE3::hash<16>(arrayRefFromStringRef(Text)), true);
}

/// An entry: its words, and then name, time and size of each file.
enum { WordsOfFile = 3 };

std::optional<CacheEntry> ResultCache::findEntry() const {
  if (Path.empty())
    return std::nullopt;
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return std::nullopt;
  StringRef Text = (*Buffer)->getBuffer();
  const StringRef Sum = Text.take_front(checksum("").size());
  Text = Text.drop_front(Sum.size());
  msgpack::Document Said;
  if (Sum != checksum(Text) || !Said.readFromBlob(Text, /*Multi=*/false) ||
      !Said.getRoot().isArray())
    return std::nullopt;
  CacheEntry Entry;
  msgpack::ArrayDocNode All = Said.getRoot().getArray();
  if (All.empty() || !All[0].isArray())
    return std::nullopt; // Of an older version.
  for (msgpack::DocNode &Word : All[0].getArray())
    Entry.Words.push_back(Word.getString());
  for (size_t I = 1; I < All.size(); I += WordsOfFile) {
    Entry.Files.push_back(All[I].getString());
    uint64_t Size = 0;
    const int64_t Time = stamp(Entry.Files.back(), Size);
    if (Time < 0 || uint64_t(Time) != All[I + 1].getUInt() ||
        Size != All[I + 2].getUInt())
      return std::nullopt;
  }
  Entry.Buffer = std::move(*Buffer);
  return Entry;
}

std::optional<RewriteResult> ResultCache::find() const {
  std::optional<CacheEntry> Entry = findEntry();
  if (!Entry)
    return std::nullopt;
  return RewriteResult{Entry->Words[0].str(), Entry->Words[1].str()};
}

void ResultCache::rememberEntry(ArrayRef<StringRef> Words,
                                ArrayRef<std::string> Files,
                                sys::TimePoint<> Begin) const {
  if (Path.empty() || Files.empty())
    return;
  msgpack::Document Entry;
  msgpack::ArrayDocNode All = Entry.getRoot().getArray(/*Convert=*/true);
  msgpack::ArrayDocNode Said = Entry.getArrayNode();
  for (StringRef Word : Words)
    Said.push_back(Entry.getNode(Word));
  All.push_back(Said);
  for (const std::string &Name : Files) {
    uint64_t Size = 0;
    const int64_t Time = stamp(Name, Size);
    if (Time < 0 || Time >= Begin.time_since_epoch().count())
      return;
    All.push_back(Entry.getNode(StringRef(Name)));
    All.push_back(Entry.getNode(uint64_t(Time)));
    All.push_back(Entry.getNode(Size));
  }
  StringRef Folder = sys::path::parent_path(Path);
  if (sys::fs::create_directories(Folder))
    return;
  std::string Text;
  Entry.writeToBlob(Text);
  consumeError(writeFile(Path, checksum(Text) + Text));
  pruneCache(Folder, CachePruningPolicy());
}

void ResultCache::remember(const RewriteResult &Result,
                           ArrayRef<std::string> Files,
                           sys::TimePoint<> Begin) const {
  rememberEntry({Result.Product, Result.Messages}, Files, Begin);
}
