// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Adapts a parse by clang so that it accepts the programs that nvcc accepts.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_NVCCPARSE_H
#define CUDAOPT_LIB_DRIVER_PARSE_NVCCPARSE_H

#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class CompilerInvocation;
}

namespace cudaopt {

/// Returns how many of the headers that \p Parse includes before the first line
/// are the same for all programs: clang's wrapper of the toolkit, and the
/// prelude.
size_t countCommonIncludes(const clang::CompilerInvocation &Parse);

/// Changes \p Parse in two ways, if it includes such headers:
/// - Macros of the command line are defined behind those headers, in a file
///   that is added to \p Files. Clang's wrapper includes headers of the
///   toolkit that nvcc leaves to the program, and these have parameters with
///   names such as N, which -DN=32 would replace. Macros that may configure
///   headers stay in front: reserved names (`_GNU_SOURCE`), NDEBUG, and names
///   with the prefixes of the toolkit's own.
/// - Headers of gcc for which clang has no version of its own (`omp.h`) are
///   found.
void readAsNvcc(clang::CompilerInvocation &Parse,
                llvm::vfs::OverlayFileSystem &Files);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_NVCCPARSE_H
