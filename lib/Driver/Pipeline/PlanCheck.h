// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds violations in the plan of a kernel: each part of a plan has a verifier
/// that recomputes what it claims from the model, independent of the pass that
/// planned it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_PLANCHECK_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_PLANCHECK_H

#include "KernelRules.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Verify/Verify.h"

#include <optional>
#include <vector>

namespace cudaopt {

/// Returns the part of \p P that fails its verification; std::nullopt if all
/// parts pass.
std::optional<PlanRefusal> findViolation(const Kernel &K, const Plan &P,
                                         const Target &T,
                                         clang::ASTContext &Context,
                                         InPlaceCheck CheckInPlace);

/// Returns true if the storage of \p P changes in order to raise occupancy.
bool wantsMoreBlocks(const Plan &P);

/// Returns refusals for those layouts of \p P that do not pay off, given that a
/// block of \p K takes the resources \p Taken: the warps that then fit on a
/// multiprocessor take longer because of the instructions that the layout adds.
std::vector<PlanRefusal> findWaitingLayouts(const Kernel &K, const Plan &P,
                                            const Target &T,
                                            const KernelResources &Taken);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_PLANCHECK_H
