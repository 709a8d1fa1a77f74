// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What is wrong with the plan of a kernel, as independent checks see it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PLANCHECK_H
#define CUDAOPT_LIB_FRONTEND_PLANCHECK_H

#include "KernelRules.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Transforms/Verify.h"

#include <optional>
#include <vector>

namespace cudaopt {

/// Returns what of \p P does not pass its verification; nothing if all does.
std::optional<Refusal> findViolation(const Kernel &K, const Plan &P,
                                     const Target &T,
                                     clang::ASTContext &Context,
                                     InPlaceCheck CheckInPlace);

/// True if the storage of \p P changes for the sake of more blocks.
bool wantsMoreBlocks(const Plan &P);

/// Returns the layouts of \p P that do not pay for the warps that fit if a
/// block of \p K takes \p Taken.
std::vector<Refusal> findWaitingLayouts(const Kernel &K, const Plan &P,
                                        const Target &T,
                                        const KernelResources &Taken);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PLANCHECK_H
