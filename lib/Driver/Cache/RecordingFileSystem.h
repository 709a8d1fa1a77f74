// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A file system that records what parses of one source learn from the disk
/// (FileFacts.h), and shows a file that is read twice with one text, even if it
/// changes meanwhile.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_CACHE_RECORDINGFILESYSTEM_H
#define CUDAOPT_LIB_DRIVER_CACHE_RECORDINGFILESYSTEM_H

#include "cudaopt/Driver/Cache/FileFacts.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class HeaderSearchOptions;
}

namespace cudaopt {

/// Not thread-safe: each source has its own.
class RecordingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  /// Files below one of \p SystemFolders are compared by their stamps instead
  /// of their contents. \p Disk is the underlying file system.
  RecordingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk,
                      llvm::ArrayRef<std::string> SystemFolders);

  /// Returns the facts that were recorded so far.
  const FileFacts &facts() const { return Facts; }

  /// Returns true if a file that was read and is compared by its contents
  /// contains \p Word.
  bool mentions(llvm::StringRef Word) const;

  /// From now on, shows \p Path with \p Text, which the caller has read there.
  void setText(llvm::StringRef Path, llvm::StringRef Text);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override;
  bool exists(const llvm::Twine &Path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &Path,
                                          std::error_code &EC) override;
  std::error_code getRealPath(const llvm::Twine &Path,
                              llvm::SmallVectorImpl<char> &Real) override;

private:
  friend class RecordedFile;
  /// A file that was read.
  struct Snapshot {
    llvm::vfs::Status Stat;
    std::string Real, Text;
  };
  /// A folder in which something was looked up.
  struct LookedAt {
    bool Exists = false, IsDirectory = false, IsSystem = false;
    FileFacts::Folder Seen;
  };

  std::string makePath(const llvm::Twine &Path) const;
  const LookedAt &lookAt(llvm::StringRef Folder);
  bool isSettled(const FileStamp &Stamp) const;
  void noteAbsent(llvm::StringRef Path);
  void notePresent(const std::string &Path, const llvm::vfs::Status &Stat);
  bool noteStamp(const std::string &Path, const FileStamp &Before,
                 const llvm::vfs::Status &Stat, std::string Real);
  void noteText(const std::string &Path, Snapshot Read);

  FileFacts Facts;
  const std::vector<std::string> SystemFolders; ///< With a trailing slash.
  /// The time of construction, in nanoseconds, comparable to stamps.
  const int64_t Begin;
  llvm::StringMap<LookedAt> Folders;
  llvm::StringMap<Snapshot> Snapshots;
};

/// Returns the folders whose files are hardly ever edited: the system's, the
/// toolkit's at \p CudaPath, and that of clang's own headers.
std::vector<std::string> listSystemFolders(llvm::StringRef CudaPath,
                                           llvm::StringRef ResourceDir);

/// Returns the toolkit whose headers a parse with \p Search finds; an empty
/// string if there is none.
std::string findToolkitOf(const clang::HeaderSearchOptions &Search);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_CACHE_RECORDINGFILESYSTEM_H
