// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cache of results: a build that compiles an unchanged source again does
/// not wait for a parse. It also holds the precompiled prelude (PreludeImage.h)
/// and the launches of the files of a program (ProgramScan.h).
///
/// An entry is found by a question (CacheQuestion.h) and is valid while the
/// facts about files from which it was made hold (FileFacts.h).
///
/// The folder is CUDAOPT_CACHE_DIR (if that is empty, there is no cache),
/// otherwise XDG_CACHE_HOME/cudaopt, otherwise ~/.cache/cudaopt. It must belong
/// to the user, and nobody else may have write access. Entries that were not
/// used for a week are removed, and so are the oldest ones when the folder
/// exceeds the limit of LLVM's pruning policy.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_CACHE_RESULTCACHE_H
#define CUDAOPT_DRIVER_CACHE_RESULTCACHE_H

#include "cudaopt/Driver/Cache/FileFacts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// The result of rewriting a source.
struct RewriteResult {
  std::string Product; ///< A text, or the packed files of an overlay.
  /// What the user is to see: remarks, warnings, the summary.
  std::string Messages;
};

/// The contents of an entry. The words are slices of the buffer.
struct CacheEntry {
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  std::vector<llvm::StringRef> Words;
  FileFacts Seen; ///< The facts from which the entry was made.
};

/// A lock on one question, across processes, that is held while the object
/// exists.
class CacheLock {
public:
  CacheLock() = default; ///< Makes a lock that locks nothing.
  explicit CacheLock(int Descriptor) : Descriptor(Descriptor) {}
  CacheLock(CacheLock &&Other) noexcept : Descriptor(Other.Descriptor) {
    Other.Descriptor = -1;
  }
  CacheLock &operator=(CacheLock &&) = delete;
  ~CacheLock();

private:
  int Descriptor = -1;
};

/// One entry of the cache. Every failure counts as a miss; a checksum detects
/// entries that were damaged or only partly written.
class ResultCache {
public:
  /// \p Question is everything that decides the result except the files that
  /// are read: program, options, flags, folder, names, environment.
  explicit ResultCache(llvm::ArrayRef<std::string> Question);

  /// Returns the entry if all facts from which it was made still hold: files
  /// have their contents, absent files are still absent.
  std::optional<CacheEntry> findEntry() const;
  /// Does the same for an entry that remember() stored.
  std::optional<RewriteResult> find() const;

  /// Stores an entry that was made from the facts \p Seen. Does nothing if they
  /// contradict each other (a file changed meanwhile) or the result depends on
  /// the time.
  void rememberEntry(llvm::ArrayRef<llvm::StringRef> Words,
                     const FileFacts &Seen) const;
  void remember(const RewriteResult &Result, const FileFacts &Seen) const;

  /// Locks the question; std::nullopt if another process holds the lock.
  /// Without a cache, the lock that is returned locks nothing.
  std::optional<CacheLock> lock() const;

  /// Returns true unless the user wants no cache or its folder cannot be
  /// trusted.
  bool isOpen() const { return !Name.empty(); }

  /// Returns an error that says why the user's cache folder is not used, for
  /// example because others may write to it.
  static llvm::Error checkFolder();

private:
  std::string Folder;
  std::string Name; ///< The file name of the entry; empty if there is no cache.
};

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_CACHE_RESULTCACHE_H
