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

/// The words of an entry: what it says, and then name, time and size of each
/// file.
enum { OverlayWord, MessagesWord, FirstFileWord, WordsOfFile = 3 };

std::optional<RewriteResult> ResultCache::find() const {
  if (Path.empty())
    return std::nullopt;
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return std::nullopt;
  StringRef Text = (*Buffer)->getBuffer();
  const StringRef Sum = Text.take_front(checksum("").size());
  Text = Text.drop_front(Sum.size());
  msgpack::Document Entry;
  if (Sum != checksum(Text) || !Entry.readFromBlob(Text, /*Multi=*/false) ||
      !Entry.getRoot().isArray())
    return std::nullopt;
  msgpack::ArrayDocNode Words = Entry.getRoot().getArray();
  for (size_t I = FirstFileWord; I < Words.size(); I += WordsOfFile) {
    uint64_t Size = 0;
    const int64_t Time = stamp(Words[I].getString(), Size);
    if (Time < 0 || uint64_t(Time) != Words[I + 1].getUInt() ||
        Size != Words[I + 2].getUInt())
      return std::nullopt;
  }
  return RewriteResult{Words[OverlayWord].getString().str(),
                       Words[MessagesWord].getString().str()};
}

void ResultCache::remember(const RewriteResult &Result,
                           ArrayRef<std::string> Names,
                           sys::TimePoint<> Begin) const {
  if (Path.empty() || Names.empty())
    return;
  msgpack::Document Entry;
  msgpack::ArrayDocNode Words = Entry.getRoot().getArray(/*Convert=*/true);
  Words.push_back(Entry.getNode(StringRef(Result.Product)));
  Words.push_back(Entry.getNode(StringRef(Result.Messages)));
  for (const std::string &Name : Names) {
    uint64_t Size = 0;
    const int64_t Time = stamp(Name, Size);
    if (Time < 0 || Time >= Begin.time_since_epoch().count())
      return;
    Words.push_back(Entry.getNode(StringRef(Name)));
    Words.push_back(Entry.getNode(uint64_t(Time)));
    Words.push_back(Entry.getNode(Size));
  }
  StringRef Folder = sys::path::parent_path(Path);
  if (sys::fs::create_directories(Folder))
    return;
  std::string Text;
  Entry.writeToBlob(Text);
  consumeError(writeFile(Path, checksum(Text) + Text));
  pruneCache(Folder, CachePruningPolicy());
}
