// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Privatization: edits of the uses of a shared array of which each thread uses
/// its own element only, and which becomes a variable of the thread.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_PRIVATEEDIT_H
#define CUDAOPT_LIB_REWRITE_PRIVATEEDIT_H

#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Source/Edits.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Turns all accesses to \p Array in \p K into uses of a variable:
/// `north[ty][tx]` -> `north`. Fails if one of them has another form, or if a
/// comment would be lost.
llvm::Error editPrivateUses(const Kernel &K, ArrayId Array,
                            const clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_PRIVATEEDIT_H
