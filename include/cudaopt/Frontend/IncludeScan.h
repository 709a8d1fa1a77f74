// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The directives of a text that include others, whatever `#if` says: clang
/// sees one side of a program, and the compiler the other one, too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_INCLUDESCAN_H
#define CUDAOPT_FRONTEND_INCLUDESCAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// `#include "a.h"`
struct IncludeText {
  std::string Spelled; ///< `a.h`
  bool IsQuoted = false;
  unsigned Offset = 0, Length = 0; ///< Of the name with what encloses it.
};

struct ScannedIncludes {
  std::vector<IncludeText> Includes;
  /// Set if not all is as simple: a macro names a file, or `#include_next`,
  /// `#import` or `__has_include` asks for one.
  bool IsUnusual = false;
};

/// Reads the directives of \p Text, which ends with a NUL as a std::string
/// does.
ScannedIncludes scanIncludes(llvm::StringRef Text);

/// Returns the first file that `#include "Spelled"` may mean: in \p Folder, or
/// in one of \p Search; only in the latter if \p Folder is empty. \p Disk is
/// asked.
std::optional<std::string> findInclude(llvm::StringRef Spelled,
                                       llvm::StringRef Folder,
                                       llvm::ArrayRef<std::string> Search,
                                       llvm::vfs::FileSystem &Disk);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_INCLUDESCAN_H
