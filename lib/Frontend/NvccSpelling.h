// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Spellings that nvcc accepts and clang does not, in the words of clang. No
/// text gets longer or shorter: what is found in one is there in the other,
/// too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_NVCCSPELLING_H
#define CUDAOPT_LIB_FRONTEND_NVCCSPELLING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ExtensibleRTTI.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <optional>
#include <string>

namespace cudaopt {

/// \p Text for clang; nothing if it can be read as it is. `k << <1, 32>> >(p)`
/// becomes `k <<< 1, 32>>> (p)`, and `asm("" :: "r"(a) "l"(b))` gets a comma in
/// place of the blank between operands.
std::optional<std::string> spellForClang(llvm::StringRef Text);

/// A file system in which texts are spelt so.
class SpellingFileSystem
    : public llvm::RTTIExtends<SpellingFileSystem, llvm::vfs::ProxyFileSystem> {
public:
  static const char ID;
  using RTTIExtends::RTTIExtends;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override;

  /// The text of \p File as it was written, if \p Files shows another one.
  static const std::string *findWritten(llvm::vfs::FileSystem &Files,
                                        llvm::sys::fs::UniqueID File);

private:
  friend class SpeltFile;
  std::map<llvm::sys::fs::UniqueID, std::string> Written;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_NVCCSPELLING_H
