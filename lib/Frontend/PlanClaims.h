// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Says in neutral values what a plan relies on, for the independent check.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PLANCLAIMS_H
#define CUDAOPT_LIB_FRONTEND_PLANCLAIMS_H

#include "SourcePoints.h"
#include "cudaopt/Check/Claims.h"
#include "cudaopt/Model/SharedProgram.h"
#include "cudaopt/Transforms/Plan.h"
#include "cudaopt/Transforms/Verify.h"

#include <utility>
#include <vector>

namespace cudaopt {

/// Returns what \p P relies on in the instances of \p K; nothing but costs, in
/// those whose blocks are only assumed.
std::vector<check::KernelClaims> makeClaims(const Kernel &K, const Plan &P,
                                            const SourcePoints &Points,
                                            clang::ASTContext &Context);

/// Returns the same of the instance of \p Program, and that the variables of
/// \p Steps are in place.
std::pair<check::KernelClaims, check::InPlaceClaim>
makeInPlaceClaims(const Kernel &K, const Plan &P, const SharedProgram &Program,
                  llvm::ArrayRef<StoredAt> Places, const UnorderedSteps &Steps,
                  const SourcePoints &Points, clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PLANCLAIMS_H
