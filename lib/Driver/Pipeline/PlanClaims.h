// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates what a plan relies on into claims: plain values, without types of
/// the model, for the independent check (cudaopt/Check).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_PLANCLAIMS_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_PLANCLAIMS_H

#include "Parse/SourcePoints.h"
#include "cudaopt/Check/Claims.h"
#include "cudaopt/Model/SharedProgram.h"
#include "cudaopt/Plan/Plan.h"
#include "cudaopt/Verify/Verify.h"

#include <utility>
#include <vector>

namespace cudaopt {

/// Returns the claims of \p P about each instance of \p K. Of instances whose
/// block shape is only assumed, only costs are claimed.
std::vector<check::KernelClaims> makeClaims(const Kernel &K, const Plan &P,
                                            const SourcePoints &Points,
                                            clang::ASTContext &Context);

/// Returns the claims about the instance of \p Program, and the claim that the
/// variables of \p Steps can share their bytes in place.
std::pair<check::KernelClaims, check::InPlaceClaim>
makeInPlaceClaims(const Kernel &K, const Plan &P, const SharedProgram &Program,
                  llvm::ArrayRef<StoredAt> Places, const UnorderedSteps &Steps,
                  const SourcePoints &Points, clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_PLANCLAIMS_H
