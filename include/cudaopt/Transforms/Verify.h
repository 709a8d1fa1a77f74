// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks a plan the slow, obvious way. Shares no code with the passes, nor
/// with the value graph from which they work: subscripts are interpreted on the
/// AST, thread by thread.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_VERIFY_H
#define CUDAOPT_TRANSFORMS_VERIFY_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/Support/Error.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Returns success if every layout of \p P stores different elements of the
/// declared box in different places inside the new array, and if the
/// wavefronts, recounted lane by lane, are what the plan promises; else the
/// rule that is violated.
llvm::Error verifyPlan(const Kernel &K, const Plan &P, const Target &T,
                       clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_VERIFY_H
