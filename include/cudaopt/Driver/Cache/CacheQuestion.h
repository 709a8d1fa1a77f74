// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the keys ("questions") of the result cache: all that decides a result
/// beside the files that are read, which is the program itself, its options,
/// the working directory and the environment. The launcher and the plugin build
/// their keys from the same words. What a result read from files is not a part
/// of the key, but of the entry (FileFacts.h).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_CACHE_CACHEQUESTION_H
#define CUDAOPT_DRIVER_CACHE_CACHEQUESTION_H

#include "cudaopt/Driver/Command/OptionTable.h"

#include <string>
#include <vector>

namespace cudaopt {

/// Returns a string that changes whenever \p Path leads to another file or the
/// file changes: its real path, device, inode, size and times. Returns \p Path
/// alone if there is no such file.
std::string identifyFile(const std::string &Path);

/// Returns the words with which every question begins: \p Kind, clang's
/// version, the identities of this program and of its shared libraries,
/// \p Folder (the current directory if it is empty), the environment variables
/// that clang's driver or we read, and the values of all options in \p Opts.
/// \p Kind names who asks and the version of the format of what is remembered.
std::vector<std::string> beginQuestion(llvm::StringRef Kind,
                                       const Options &Opts,
                                       llvm::StringRef Folder = "");

/// Adds to \p Question the toolkit and the folder of clang's headers that a
/// parse with \p CudaPath and \p Flags finds; the error message in place of one
/// that is not found.
void addFoundFolders(llvm::StringRef CudaPath, const char *Executable,
                     llvm::ArrayRef<std::string> Flags,
                     std::vector<std::string> &Question);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_CACHE_CACHEQUESTION_H
