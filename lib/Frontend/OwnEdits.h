// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The edits of one array alone, for those who want to change that only.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_OWNEDITS_H
#define CUDAOPT_LIB_FRONTEND_OWNEDITS_H

#include "cudaopt/Report/Finding.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Gives those of \p Findings that tell of a new layout the edits that make
/// this layout, and no other. Storage that is shared is one edit of many
/// arrays: then none has its own.
void addOwnEdits(const Kernel &K, const Plan &P, clang::ASTContext &Context,
                 std::vector<Finding> &Findings);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_OWNEDITS_H
