// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What lets a parse by clang accept the programs that nvcc does.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_NVCCPARSE_H
#define CUDAOPT_LIB_FRONTEND_NVCCPARSE_H

#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class CompilerInvocation;
}

namespace cudaopt {

/// Of the headers that \p Parse includes before its first line, how many are
/// the same for all programs.
size_t countCommonIncludes(const clang::CompilerInvocation &Parse);

/// Changes \p Parse, if it has such headers:
/// - Macros of the command line are defined behind them, in a file that is
/// added
///   to \p Files. Clang's wrapper of the toolkit includes headers that nvcc
///   leaves to the program, and these name parameters N. Macros that may
///   configure headers stay in front: reserved names (`_GNU_SOURCE`), NDEBUG,
///   and what begins as those of the toolkit do.
/// - Headers of gcc that clang has no own version of are found (`omp.h`).
void readAsNvcc(clang::CompilerInvocation &Parse,
                llvm::vfs::OverlayFileSystem &Files);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_NVCCPARSE_H
