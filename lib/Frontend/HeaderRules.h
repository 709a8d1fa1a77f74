// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which included files may change, and for whom they do.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_HEADERRULES_H
#define CUDAOPT_LIB_FRONTEND_HEADERRULES_H

#include "cudaopt/Frontend/InclusionGraph.h"
#include "cudaopt/Frontend/Options.h"
#include "cudaopt/Model/KernelBuilder.h"

namespace clang {
class SourceManager;
}

namespace cudaopt {

HeaderUse readHeaderUse(const Options &Opts);

/// Why nothing that is declared at \p Loc may change; None if it may.
Blocker findHeaderBlocker(clang::SourceLocation Loc,
                          const clang::SourceManager &SM, const Options &Opts,
                          const InclusionGraph &Inclusions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_HEADERRULES_H
