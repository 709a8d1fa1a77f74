// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The uses of an array that becomes a variable of each thread.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_PRIVATEEDIT_H
#define CUDAOPT_LIB_REWRITE_PRIVATEEDIT_H

#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Rewrite/Edits.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// `north[ty][tx]` -> `north`, for all accesses to \p Array in \p K. Fails if
/// one of them is written in another way, or if a comment would be lost.
llvm::Error editPrivateUses(const Kernel &K, ArrayId Array,
                            const clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_PRIVATEEDIT_H
