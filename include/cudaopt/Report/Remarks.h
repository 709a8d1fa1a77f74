// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What was done, and why not, as remarks of the compiler.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_REMARKS_H
#define CUDAOPT_REPORT_REMARKS_H

#include "cudaopt/Transforms/Levelize.h"
#include "cudaopt/Transforms/Plan.h"

namespace clang {
class DiagnosticsEngine;
}

namespace cudaopt {

/// Remarks on every decision of \p P, at the declaration or at what is in the way.
void remarkPlan(const Kernel &K, const Plan &P,
                clang::DiagnosticsEngine &Diags);

/// A remark on the decision \p D; \p Mark is what a proposal inserts.
void remarkLoop(const LevelizeDecision &D, llvm::StringRef Mark,
                clang::DiagnosticsEngine &Diags);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_REMARKS_H
