// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Caches, as a precompiled header, what every CUDA program includes before its
/// first line. The toolkit's headers take most of the time of a parse and are
/// the same for all sources of a build.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_PRELUDEIMAGE_H
#define CUDAOPT_LIB_DRIVER_PARSE_PRELUDEIMAGE_H

#include "cudaopt/Driver/Cache/FileFacts.h"

#include <memory>

namespace clang {
class CompilerInvocation;
class FileManager;
class PCHContainerOperations;
} // namespace clang

namespace cudaopt {

/// Makes \p Parse begin with a precompiled image, which is created if the cache
/// has none, and which is added to the file system of \p Files. Returns the
/// facts from which the image was made. Where an image might mean another
/// program than the headers' text does, \p Parse is left unchanged and no facts
/// are returned.
FileFacts
beginWithPreludeImage(clang::CompilerInvocation &Parse,
                      clang::FileManager &Files,
                      std::shared_ptr<clang::PCHContainerOperations> PCHs);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_PRELUDEIMAGE_H
