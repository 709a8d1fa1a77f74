// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a CUDA program begins with before its first line, in the form of a
/// precompiled header that lies in the cache: most of the parse of a program is
/// the toolkit's headers, and they are the same for all sources of a build.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PRELUDEIMAGE_H
#define CUDAOPT_LIB_FRONTEND_PRELUDEIMAGE_H

#include "cudaopt/Frontend/FileFacts.h"

#include <memory>

namespace clang {
class CompilerInvocation;
class FileManager;
class PCHContainerOperations;
} // namespace clang

namespace cudaopt {

/// Has \p Parse begin with an image, which is made if the cache has none, and
/// which becomes one of \p Files. Returns what the image was made from. Where
/// an image could mean another program than the text does, all stays as it is,
/// and nothing is returned.
FileFacts
beginWithPreludeImage(clang::CompilerInvocation &Parse,
                      clang::FileManager &Files,
                      std::shared_ptr<clang::PCHContainerOperations> PCHs);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PRELUDEIMAGE_H
