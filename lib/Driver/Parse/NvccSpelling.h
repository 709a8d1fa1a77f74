// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Respells what nvcc accepts and clang does not. The new text has the same
/// length and the same tokens at the same offsets, so that locations, and
/// edits, apply to the user's text as well.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_NVCCSPELLING_H
#define CUDAOPT_LIB_DRIVER_PARSE_NVCCSPELLING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ExtensibleRTTI.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <optional>
#include <string>

namespace cudaopt {

/// Returns \p Text in a spelling that clang accepts; std::nullopt if it can be
/// parsed as it is. `k << <1, 32>> >(p)` becomes `k <<< 1, 32>>> (p)`, and in
/// `asm("" :: "r"(a) "l"(b))` a comma replaces the blank between the operands.
std::optional<std::string> spellForClang(llvm::StringRef Text);

/// A file system whose files are respelt for clang.
class SpellingFileSystem
    : public llvm::RTTIExtends<SpellingFileSystem, llvm::vfs::ProxyFileSystem> {
public:
  static const char ID;
  using RTTIExtends::RTTIExtends;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override;

  /// Returns the text of \p File as the user wrote it if \p Files shows a
  /// respelt one; otherwise null.
  static const std::string *findWritten(llvm::vfs::FileSystem &Files,
                                        llvm::sys::fs::UniqueID File);

private:
  friend class SpeltFile;
  std::map<llvm::sys::fs::UniqueID, std::string> Written;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_NVCCSPELLING_H
