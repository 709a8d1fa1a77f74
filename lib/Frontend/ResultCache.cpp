// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Entries are JSON files, named by the hash of the question.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/ResultCache.h"
#include "cudaopt/Frontend/Output.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
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

std::optional<RewriteResult> ResultCache::find() const {
  if (Path.empty())
    return std::nullopt;
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return std::nullopt;
  Expected<json::Value> Entry = json::parse((*Buffer)->getBuffer());
  if (!Entry) {
    consumeError(Entry.takeError());
    return std::nullopt;
  }
  const json::Object *Object = Entry->getAsObject();
  const json::Array *Files = Object ? Object->getArray("files") : nullptr;
  std::optional<StringRef> Text, Messages;
  if (Object) {
    Text = Object->getString("text");
    Messages = Object->getString("messages");
  }
  if (!Files || !Text || !Messages)
    return std::nullopt;
  for (const json::Value &Value : *Files) {
    const json::Array *File = Value.getAsArray();
    if (!File || File->size() != 3)
      return std::nullopt;
    uint64_t Size = 0;
    int64_t Time = stamp((*File)[0].getAsString().value_or(""), Size);
    if (Time < 0 || Time != (*File)[1].getAsInteger() ||
        int64_t(Size) != (*File)[2].getAsInteger())
      return std::nullopt;
  }
  return RewriteResult{Text->str(), Messages->str()};
}

void ResultCache::remember(const RewriteResult &Result,
                           ArrayRef<std::string> Names,
                           sys::TimePoint<> Begin) const {
  // JSON holds Unicode only.
  if (Path.empty() || Names.empty() || !json::isUTF8(Result.Text) ||
      !json::isUTF8(Result.Messages))
    return;
  json::Array Files;
  for (const std::string &Name : Names) {
    uint64_t Size = 0;
    int64_t Time = stamp(Name, Size);
    if (Time < 0 || Time >= Begin.time_since_epoch().count() ||
        !json::isUTF8(Name))
      return;
    Files.push_back(json::Array{Name, Time, int64_t(Size)});
  }
  StringRef Folder = sys::path::parent_path(Path);
  if (sys::fs::create_directories(Folder))
    return;
  json::Value Entry = json::Object{{"text", Result.Text},
                                   {"messages", Result.Messages},
                                   {"files", std::move(Files)}};
  std::string Text;
  raw_string_ostream(Text) << Entry;
  consumeError(writeFile(Path, Text));
  pruneCache(Folder, CachePruningPolicy());
}
