// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A file system that shows some files with another text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_REPLACINGFILESYSTEM_H
#define CUDAOPT_LIB_DRIVER_PARSE_REPLACINGFILESYSTEM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

namespace cudaopt {

/// An open file whose text is not the one on the disk.
class ReplacedFile : public llvm::vfs::File {
public:
  ReplacedFile(llvm::vfs::Status Stat, std::string Name, llvm::StringRef Text)
      : Stat(std::move(Stat)), Name(std::move(Name)), Text(Text) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return Stat; }
  llvm::ErrorOr<std::string> getName() override { return Name; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &Name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(Text, Name);
  }
  std::error_code close() override { return {}; }

private:
  llvm::vfs::Status Stat;
  std::string Name; ///< The real path.
  llvm::StringRef Text;
};

/// A file system that shows some files with another text. Files are recognized
/// by their identity, because a header has as many names as there are ways to
/// reach it.
class ReplacingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  /// Shows the file at \p Path with \p Text, which must outlive this object.
  /// Returns false if there is no such file.
  bool replace(llvm::StringRef Path, llvm::StringRef Text) {
    llvm::ErrorOr<llvm::vfs::Status> Stat = ProxyFileSystem::status(Path);
    if (Stat)
      Texts[Stat->getUniqueID()] = Text;
    return bool(Stat);
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override {
    llvm::ErrorOr<llvm::vfs::Status> Stat = ProxyFileSystem::status(Path);
    return Stat ? adapt(*Stat) : Stat;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> File =
        ProxyFileSystem::openFileForRead(Path);
    if (!File)
      return File;
    llvm::ErrorOr<llvm::vfs::Status> Stat = (*File)->status();
    auto Found = Stat ? Texts.find(Stat->getUniqueID()) : Texts.end();
    if (Found == Texts.end())
      return File;
    llvm::ErrorOr<std::string> Name = (*File)->getName();
    return std::make_unique<ReplacedFile>(
        adapt(*Stat), Name ? *Name : Path.str(), Found->second);
  }

private:
  llvm::vfs::Status adapt(const llvm::vfs::Status &Stat) const {
    auto Found = Texts.find(Stat.getUniqueID());
    return Found == Texts.end()
               ? Stat
               : llvm::vfs::Status::copyWithNewSize(Stat, Found->second.size());
  }

  std::map<llvm::sys::fs::UniqueID, llvm::StringRef> Texts;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_REPLACINGFILESYSTEM_H
