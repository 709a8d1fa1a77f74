// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Remembers what a source became, so that a build that compiles it again does
/// not wait for a parse, and what all sources begin with, parsed.
///
/// The folder is CUDAOPT_CACHE_DIR (empty: there is no cache), else
/// XDG_CACHE_HOME/cudaopt, else ~/.cache/cudaopt. What was not used for a week
/// goes, and the oldest of what exceeds LLVM's limit on such folders.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_RESULTCACHE_H
#define CUDAOPT_FRONTEND_RESULTCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Chrono.h"
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
  std::vector<llvm::StringRef> Files; ///< That it was made from.
};

/// One entry of the cache. Everything that goes wrong is a miss; an entry that
/// is not what was written has another checksum.
class ResultCache {
public:
  /// \p Question is all that decides the result, save the files it is read
  /// from: program, options, flags, folder, names.
  explicit ResultCache(llvm::ArrayRef<std::string> Question);

  /// Returns the entry if all files that it was made from are as they were.
  std::optional<CacheEntry> findEntry() const;
  std::optional<RewriteResult> find() const;

  /// \p Files are what the result was made from, since \p Begin; if one of
  /// them is newer, nothing is remembered.
  void rememberEntry(llvm::ArrayRef<llvm::StringRef> Words,
                     llvm::ArrayRef<std::string> Files,
                     llvm::sys::TimePoint<> Begin) const;
  void remember(const RewriteResult &Result, llvm::ArrayRef<std::string> Files,
                llvm::sys::TimePoint<> Begin) const;

  /// True unless the user wants no cache.
  bool isOpen() const { return !Path.empty(); }

private:
  std::string Path; ///< Empty: there is no cache.
};

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_RESULTCACHE_H
