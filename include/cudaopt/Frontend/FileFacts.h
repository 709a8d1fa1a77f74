// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a parse found out about the file system: a result that was made from it
/// is right as long as a parse would find out the same.
///
/// Files are compared by their contents. For files of the toolkit and of the
/// system, which are many and hardly ever change, the numbers of device and
/// inode, the size and the times of the last change of contents and of inode
/// are enough: no program sets the latter.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_FILEFACTS_H
#define CUDAOPT_FRONTEND_FILEFACTS_H

#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// What tells a file from others.
struct FileIdentity {
  uint64_t Device = 0, Inode = 0;
  auto operator<=>(const FileIdentity &) const = default;
};

/// What changes whenever a file does.
struct FileStamp {
  FileIdentity Id;
  uint64_t Size = 0;
  int64_t Modified = 0, Changed = 0; ///< In nanoseconds.
  bool IsDirectory = false;

  /// Of what \p Path leads to; nothing if that is nowhere.
  static std::optional<FileStamp> read(const std::string &Path);
  /// Of the open file \p Descriptor.
  static std::optional<FileStamp> read(int Descriptor);

  bool operator==(const FileStamp &) const = default;
};

/// Where \p Path leads; empty if nowhere.
std::string findRealPath(const std::string &Path);

/// A hash of \p Text.
std::string hashContents(llvm::StringRef Text);

/// A hash of the names and kinds of what is in folder \p Path; empty if it
/// cannot be read.
std::string hashListing(const std::string &Path);

/// What was found out. Paths are absolute, and as they were asked for.
class FileFacts {
public:
  enum class Kind : uint8_t {
    Absent,
    Directory,
    Present,  ///< A file that nobody has read.
    Contents, ///< A file, by what was read.
    Stamp,    ///< A file, by its stamp.
  };
  struct Fact {
    Kind What;
    FileStamp Stamp;  ///< But for Kind::Stamp, only the identity counts.
    std::string Sum;  ///< Of the contents.
    std::string Real; ///< Where a file that was read lies.
  };
  /// A folder of the toolkit or of the system.
  struct Folder {
    std::string Real;
    FileStamp Stamp;
    bool IsSettled; ///< It was not changed lately, so that a change shows.
  };

  void add(const std::string &Path, Fact New);
  void addFolder(const std::string &Path, Folder New);
  void addRealPath(const std::string &Path, std::string Real);
  void addListing(const std::string &Path, std::string Sum);
  void add(const FileFacts &Others);
  /// Adds that \p Path holds \p Text.
  void addText(const std::string &Path, llvm::StringRef Text);
  void addAbsent(const std::string &Path);

  /// The result depends on the date, or on something else that is no file.
  void setUnlasting() { IsUnlasting = true; }
  bool isLasting() const { return !IsUnlasting && !IsContradictory; }

  /// True if a parse would find out the same now.
  bool hold() const;
  /// Where they hold, files may still be others than they were, of the same
  /// text. Takes those of now, so that facts of other times can be added.
  void renew();

  /// The real paths of the files that were read.
  std::vector<std::string> listReadFiles() const;
  /// Of these, those that are compared by their contents: files of users.
  std::vector<std::string> listContents() const;

  std::string pack() const;
  static std::optional<FileFacts> unpack(llvm::StringRef Bytes);

private:
  std::map<std::string, Fact> Facts;
  std::map<std::string, Folder> Folders;
  std::map<std::string, std::string> RealPaths, Listings;
  bool IsUnlasting = false;
  bool IsContradictory = false; ///< Something changed meanwhile.
};

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_FILEFACTS_H
