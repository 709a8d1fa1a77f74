// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Says in neutral values what a plan relies on that runs of the kernel show.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_RUNCLAIMS_H
#define CUDAOPT_LIB_FRONTEND_RUNCLAIMS_H

#include "cudaopt/Check/Claims.h"
#include "cudaopt/Transforms/Plan.h"
#include "cudaopt/Transforms/Verify.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace cudaopt {

/// Adds the launches of \p Instance and what \p P does to elements.
/// \p FindVariable tells which variable of \p Claims an array is in.
void addRunClaims(
    const Kernel &K, const KernelInstance &Instance, const Plan &P,
    clang::ASTContext &Context,
    llvm::function_ref<std::optional<unsigned>(ArrayId)> FindVariable,
    check::KernelClaims &Claims);

/// Adds to \p Claim the bytes of access \p A. \p IsNew says that it is another
/// piece of the element than those before.
void addPiece(const KernelInstance &Instance, const Access &A, bool IsNew,
              check::AccessClaim &Claim);

/// Returns what \p P promises of each array whose layout changes.
std::vector<check::WavefrontClaim> makeWavefrontClaims(const Kernel &K,
                                                       const Plan &P);

/// Returns what it means that the variables of \p Steps are in place, with the
/// layouts of \p P. \p Sources are the accesses that access claims are made of;
/// null of other uses.
check::InPlaceClaim makeInPlaceClaim(const Plan &P,
                                     const SharedProgram &Program,
                                     llvm::ArrayRef<StoredAt> Places,
                                     const UnorderedSteps &Steps,
                                     llvm::ArrayRef<const Access *> Sources);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_RUNCLAIMS_H
