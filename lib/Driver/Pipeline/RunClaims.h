// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates into claims (plain values for the independent check) those parts
/// of a plan that are checked against runs of the kernel: which bytes threads
/// access, and how many wavefronts that takes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_RUNCLAIMS_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_RUNCLAIMS_H

#include "cudaopt/Check/Claims.h"
#include "cudaopt/Plan/Plan.h"
#include "cudaopt/Verify/Verify.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace cudaopt {

/// Adds to \p Claims the launch of \p Instance and the changes that \p P makes
/// to elements of arrays. \p FindVariable maps an array to its variable in
/// \p Claims.
void addRunClaims(
    const Kernel &K, const KernelInstance &Instance, const Plan &P,
    clang::ASTContext &Context,
    llvm::function_ref<std::optional<unsigned>(ArrayId)> FindVariable,
    check::KernelClaims &Claims);

/// Returns the launches that \p Block stands for.
check::LaunchClaim makeLaunchClaim(const BlockShape &Block);

/// Adds the bytes of access \p A to \p Claim. \p IsNew says that they are
/// another piece of the element than those already added.
void addPiece(const KernelInstance &Instance, const Access &A, bool IsNew,
              check::AccessClaim &Claim);

/// Returns the numbers of wavefronts that \p P promises for each array whose
/// layout changes.
std::vector<check::WavefrontClaim> makeWavefrontClaims(const Kernel &K,
                                                       const Plan &P);

/// Returns the claim that the variables of \p Steps share their bytes in place,
/// with the layouts of \p P. \p Sources are the accesses from which the access
/// claims were made; null for other uses.
check::InPlaceClaim makeInPlaceClaim(const Plan &P,
                                     const SharedProgram &Program,
                                     llvm::ArrayRef<StoredAt> Places,
                                     const UnorderedSteps &Steps,
                                     llvm::ArrayRef<const Access *> Sources);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_RUNCLAIMS_H
