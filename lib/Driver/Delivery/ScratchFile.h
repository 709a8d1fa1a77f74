// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Temporary files that are removed when the object that owns them is
/// destroyed.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_DELIVERY_SCRATCHFILE_H
#define CUDAOPT_LIB_DRIVER_DELIVERY_SCRATCHFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace cudaopt {

/// A temporary file; move-only.
class ScratchFile {
public:
  static llvm::Expected<ScratchFile> create(llvm::StringRef Kind) {
    ScratchFile Result;
    if (std::error_code EC =
            llvm::sys::fs::createTemporaryFile("cuda-opt", Kind, Result.Path))
      return llvm::createStringError("no temporary file: " + EC.message());
    Result.Remover = std::make_unique<llvm::FileRemover>(Result.Path);
    return Result;
  }
  llvm::StringRef path() const { return Path; }
  llvm::Expected<std::string> read() const {
    auto Buffer = llvm::MemoryBuffer::getFile(Path);
    if (!Buffer)
      return llvm::createStringError(Path + ": " + Buffer.getError().message());
    return (*Buffer)->getBuffer().str();
  }

private:
  ScratchFile() = default;
  llvm::SmallString<128> Path;
  /// Owned by pointer: a copy would remove the file, too.
  std::unique_ptr<llvm::FileRemover> Remover;
};

/// The files that a child process writes for us.
struct ProcessFiles {
  ScratchFile Product; ///< The result.
  ScratchFile Facts;   ///< The packed facts about the files that it read.
  ScratchFile Log;     ///< Its standard error.

  static llvm::Expected<ProcessFiles> create(llvm::StringRef ProductKind) {
    llvm::Expected<ScratchFile> Product = ScratchFile::create(ProductKind);
    if (!Product)
      return Product.takeError();
    llvm::Expected<ScratchFile> Facts = ScratchFile::create("facts");
    if (!Facts)
      return Facts.takeError();
    llvm::Expected<ScratchFile> Log = ScratchFile::create("log");
    if (!Log)
      return Log.takeError();
    return ProcessFiles{std::move(*Product), std::move(*Facts),
                        std::move(*Log)};
  }
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_DELIVERY_SCRATCHFILE_H
