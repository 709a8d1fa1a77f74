// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Remembers what a source became, so that a build that compiles it again does
/// not wait for a parse, and what all sources begin with, parsed.
///
/// The folder is CUDAOPT_CACHE_DIR (empty: there is no cache), else
/// XDG_CACHE_HOME/cudaopt, else ~/.cache/cudaopt. It must be the user's, and
/// nobody else's to write to. What was not used for a week goes, and the oldest
/// of what exceeds LLVM's limit on such folders.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_RESULTCACHE_H
#define CUDAOPT_FRONTEND_RESULTCACHE_H

#include "cudaopt/Frontend/FileFacts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// What a source became.
struct RewriteResult {
  std::string Product;  ///< A text, or files, packed.
  std::string Messages; ///< For the user.
};

/// What lies in an entry. The words are parts of the buffer.
struct CacheEntry {
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  std::vector<llvm::StringRef> Words;
  FileFacts Seen; ///< That it was made from.
};

/// While it exists, no other process has the lock of the same question.
class CacheLock {
public:
  CacheLock() = default; ///< Locks nothing.
  explicit CacheLock(int Descriptor) : Descriptor(Descriptor) {}
  CacheLock(CacheLock &&Other) : Descriptor(Other.Descriptor) {
    Other.Descriptor = -1;
  }
  CacheLock &operator=(CacheLock &&) = delete;
  ~CacheLock();

private:
  int Descriptor = -1;
};

/// One entry of the cache. Everything that goes wrong is a miss; an entry that
/// is not what was written has another checksum.
class ResultCache {
public:
  /// \p Question is all that decides the result, save the files it is read
  /// from: program, options, flags, folder, names, environment.
  explicit ResultCache(llvm::ArrayRef<std::string> Question);

  /// Returns the entry if all files that it was made from are as they were,
  /// and those that were absent still are.
  std::optional<CacheEntry> findEntry() const;
  std::optional<RewriteResult> find() const;

  /// \p Seen is what the result was made from; if it changed meanwhile, or
  /// depends on the time, nothing is remembered.
  void rememberEntry(llvm::ArrayRef<llvm::StringRef> Words,
                     const FileFacts &Seen) const;
  void remember(const RewriteResult &Result, const FileFacts &Seen) const;

  /// Returns nothing if another process has the lock. Where there is no cache,
  /// the lock is none.
  std::optional<CacheLock> lock() const;

  /// True unless the user wants no cache, or it may not be trusted.
  bool isOpen() const { return !Name.empty(); }

  /// Why a cache that the user wants is not used: others may write to it.
  static llvm::Error checkFolder();

private:
  std::string Folder;
  std::string Name; ///< In the folder; empty: there is no cache.
};

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_RESULTCACHE_H
