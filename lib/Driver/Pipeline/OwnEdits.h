// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Separates the edits of one array from those of others, for users who want to
/// apply only one suggestion (SARIF fixes, clang-apply-replacements).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_OWNEDITS_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_OWNEDITS_H

#include "cudaopt/Report/Finding.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Gives each of \p Findings that reports a new layout the edits that make this
/// layout and nothing else. If storage is shared, which is one edit of many
/// arrays, no finding gets edits.
void addOwnEdits(const Kernel &K, const Plan &P, clang::ASTContext &Context,
                 std::vector<Finding> &Findings);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_OWNEDITS_H
