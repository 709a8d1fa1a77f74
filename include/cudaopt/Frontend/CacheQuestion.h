// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What decides a result beside files and options: the same words for the
/// launcher and the plugin.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_CACHEQUESTION_H
#define CUDAOPT_FRONTEND_CACHEQUESTION_H

#include "cudaopt/Frontend/OptionTable.h"

#include <string>
#include <vector>

namespace cudaopt {

/// Returns what tells \p Path from another file, and from itself when it was
/// changed; the name alone if there is no such file.
std::string identifyFile(const std::string &Path);

/// Returns this program with its libraries, clang's version, the folder that we
/// are in, or \p Folder, all variables of the environment that some part of us
/// reads, and the options \p Opts. \p Kind is who asks, and the version of what
/// is remembered.
std::vector<std::string> beginQuestion(llvm::StringRef Kind,
                                       const Options &Opts,
                                       llvm::StringRef Folder = "");

/// Adds to \p Question the toolkit and the folder of clang's headers that a
/// parse finds if \p CudaPath and \p Flags say so much; or why it finds none.
void addFoundFolders(llvm::StringRef CudaPath, const char *Executable,
                     llvm::ArrayRef<std::string> Flags,
                     std::vector<std::string> &Question);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_CACHEQUESTION_H
