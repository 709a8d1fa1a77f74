// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the #include directives of a text regardless of `#if`: clang parses
/// only one side of a program, but the compiler compiles the other side, too,
/// and may include other files there.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_SCAN_INCLUDESCAN_H
#define CUDAOPT_DRIVER_SCAN_INCLUDESCAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// A directive such as `#include "a.h"`.
struct IncludeText {
  std::string Spelled; ///< The name without delimiters: `a.h`.
  bool IsQuoted = false;
  /// The position of the name with its delimiters, in bytes.
  unsigned Offset = 0, Length = 0;
};

struct ScannedIncludes {
  std::vector<IncludeText> Includes;
  /// Set if the scan cannot tell all files: a macro names a file, or the text
  /// uses `#include_next`, `#import` or `__has_include`.
  bool IsUnusual = false;
};

/// Finds the directives of \p Text, which must be followed by a NUL byte, as in
/// a std::string.
ScannedIncludes scanIncludes(llvm::StringRef Text);

/// Returns the first file on \p Disk to which `#include "Spelled"` can lead: in
/// \p Folder, then in each of \p Search. With an empty \p Folder, only
/// \p Search counts, as for `#include <Spelled>`. Returns std::nullopt if there
/// is none.
std::optional<std::string> findInclude(llvm::StringRef Spelled,
                                       llvm::StringRef Folder,
                                       llvm::ArrayRef<std::string> Search,
                                       llvm::vfs::FileSystem &Disk);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_SCAN_INCLUDESCAN_H
