// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a parse learned about the file system: which files it read, which names
/// it looked up in vain, where links led. A cached result is valid as long as a
/// new parse would learn the same ("the facts hold"). Absent files count, too:
/// a header that appears earlier in the search path changes the program.
///
/// Files are compared by a hash of their contents. For files of the toolkit and
/// the system, which are many and rarely change, a stamp suffices: device and
/// inode, size, and the times of the last change of contents and of inode. No
/// program can set the latter, so that an edit cannot go unnoticed.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_CACHE_FILEFACTS_H
#define CUDAOPT_DRIVER_CACHE_FILEFACTS_H

#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// Identifies a file on this machine, whatever its name: two paths with equal
/// identities lead to one file.
struct FileIdentity {
  uint64_t Device = 0, Inode = 0;
  auto operator<=>(const FileIdentity &) const = default;
};

/// Attributes of a file of which some changes whenever the file does.
struct FileStamp {
  FileIdentity Id;
  uint64_t Size = 0;
  int64_t Modified = 0, Changed = 0; ///< In nanoseconds since the epoch.
  bool IsDirectory = false;

  /// Reads the stamp of what \p Path leads to; std::nullopt if it leads
  /// nowhere.
  static std::optional<FileStamp> read(const std::string &Path);
  /// Reads the stamp of the open file \p Descriptor.
  static std::optional<FileStamp> read(int Descriptor);

  bool operator==(const FileStamp &) const = default;
};

/// Returns the real path of \p Path; an empty string if it leads nowhere.
std::string findRealPath(const std::string &Path);

/// Returns a hash of \p Text (BLAKE3, 16 bytes).
std::string hashContents(llvm::StringRef Text);

/// Returns a hash of the names and kinds of the entries of folder \p Path; an
/// empty string if it cannot be read.
std::string hashListing(const std::string &Path);

/// The facts that one or more parses learned. The paths are absolute, spelt as
/// they were asked for.
class FileFacts {
public:
  enum class Kind : uint8_t {
    Absent,
    Directory,
    Present,  ///< A file that exists but was not read.
    Contents, ///< A file that is compared by its contents.
    Stamp,    ///< A file that is compared by its stamp.
  };
  struct Fact {
    Kind What;
    FileStamp Stamp;  ///< Only the identity counts, except for Kind::Stamp.
    std::string Sum;  ///< A hash of the contents.
    std::string Real; ///< The real path of a file that was read.
  };
  /// A folder of the toolkit or of the system. While its stamp is unchanged, no
  /// file can have appeared in it, so that absent files need not be looked up
  /// one by one.
  struct Folder {
    std::string Real;
    FileStamp Stamp;
    /// The folder had not changed for a while when it was seen, so that any
    /// later change shows in its times.
    bool IsSettled;
  };

  // Each of these records one fact. A fact that contradicts an earlier one (a
  // file changed between two parses) makes the whole set invalid.
  void add(const std::string &Path, Fact New);
  void addFolder(const std::string &Path, Folder New);
  void addRealPath(const std::string &Path, std::string Real);
  void addListing(const std::string &Path, std::string Sum);
  void add(const FileFacts &Others);
  /// Records that \p Path holds \p Text.
  void addText(const std::string &Path, llvm::StringRef Text);
  void addAbsent(const std::string &Path);

  /// Records that the result depends on the date, or on something else that is
  /// not a file: it must not be cached.
  void setUnlasting() { IsUnlasting = true; }
  bool isLasting() const { return !IsUnlasting && !IsContradictory; }

  /// Returns true if a parse would learn the same now.
  bool hold() const;
  /// Updates the identities of the files to the current ones. Where the facts
  /// hold, a file may still have been replaced by another one of the same text;
  /// facts of a later parse can only be added if both know it by the same
  /// identity.
  void renew();

  /// Returns the real paths of the files that were read.
  std::vector<std::string> listReadFiles() const;
  /// Returns those of the read files that are compared by their contents, which
  /// are the user's.
  std::vector<std::string> listContents() const;

  std::string pack() const;
  static std::optional<FileFacts> unpack(llvm::StringRef Bytes);

private:
  std::map<std::string, Fact> Facts;
  std::map<std::string, Folder> Folders;
  std::map<std::string, std::string> RealPaths, Listings;
  bool IsUnlasting = false;
  bool IsContradictory = false; ///< A file changed while it was looked at.
};

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_CACHE_FILEFACTS_H
