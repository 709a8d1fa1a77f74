// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Decides which included files may be edited, and who sees the edits.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_HEADERRULES_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_HEADERRULES_H

#include "cudaopt/Driver/Command/Options.h"
#include "cudaopt/Driver/Scan/InclusionGraph.h"
#include "cudaopt/Model/KernelBuilder.h"

namespace clang {
class SourceManager;
}

namespace cudaopt {

/// Returns who compiles edited headers, given how results are delivered: only
/// this compilation (an overlay), every includer (files on disk), or nobody.
HeaderUse readHeaderUse(const Options &Opts);

/// Returns why nothing that is declared at \p Loc may be edited; std::nullopt
/// if it may.
std::optional<Refusal> findHeaderRefusal(clang::SourceLocation Loc,
                                         const clang::SourceManager &SM,
                                         const Options &Opts,
                                         const InclusionGraph &Inclusions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_HEADERRULES_H
