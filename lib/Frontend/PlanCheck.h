// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Has the plan of a kernel verified, and takes back what does not pass, or
/// what somebody else refuses.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PLANCHECK_H
#define CUDAOPT_LIB_FRONTEND_PLANCHECK_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Rewrite/RewriteKernel.h"
#include "cudaopt/Transforms/Plan.h"
#include "cudaopt/Transforms/Verify.h"

#include "llvm/Support/Error.h"

namespace cudaopt {

/// Keeps all storage as it is. What was to become private has no other layout,
/// for the same reason; the others have those that stand alone.
void keepStorage(Plan &P, Blocker Why);

/// Keeps every array of \p K that \p P would rewrite.
void keepAll(const Kernel &K, Plan &P, Reason Why, const std::string &Detail);

/// Takes back what does not pass its verification.
void checkPlan(const Kernel &K, Plan &P, const Target &T,
               clang::ASTContext &Context, InPlaceCheck CheckInPlace);

/// True if the storage of \p P changes for the sake of more blocks.
bool wantsMoreBlocks(const Plan &P);

/// Takes back layouts that do not pay for the warps that fit if a block of \p K
/// takes \p Taken. Returns true if there were some.
bool keepWaiting(const Kernel &K, Plan &P, const Target &T,
                 const KernelResources &Taken);

/// Fails if an array of \p K whose layout cannot be written shares bytes in
/// place: it must have the layout of the plan.
llvm::Error findBrokenPair(const Kernel &K, const Plan &P,
                           llvm::ArrayRef<ArrayRewrite> Wanted);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PLANCHECK_H
