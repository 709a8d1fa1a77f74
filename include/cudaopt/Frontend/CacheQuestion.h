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

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_CACHEQUESTION_H
