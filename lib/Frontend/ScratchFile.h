// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A file of ours that nobody else knows, and that goes with us.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_SCRATCHFILE_H
#define CUDAOPT_LIB_FRONTEND_SCRATCHFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>

namespace cudaopt {

class ScratchFile {
public:
  static llvm::Expected<ScratchFile> create(llvm::StringRef Kind) {
    ScratchFile Result;
    if (std::error_code EC =
            llvm::sys::fs::createTemporaryFile("cuda-opt", Kind, Result.Path))
      return llvm::createStringError("no temporary file: " + EC.message());
    Result.Remover.setFile(Result.Path);
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
  llvm::FileRemover Remover;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_SCRATCHFILE_H
