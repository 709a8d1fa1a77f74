// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks by abstract execution: runs the device code of a kernel, warp by
/// warp, for the launches that are known, and compares the addresses that its
/// threads access with the claims of a plan. The arguments of a launch and the
/// contents of memory are unknown; lib/Check/WarpRun.h says how the run deals
/// with that.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_CHECK_RUNCHECK_H
#define CUDAOPT_CHECK_RUNCHECK_H

#include "cudaopt/Check/DeviceCheck.h"
#include "cudaopt/Machine/BankMap.h"

#include "llvm/ADT/ArrayRef.h"

namespace cudaopt::check {

/// Returns the first thread of a block that accesses another element than
/// Private and Trimmed of \p Claims allow; std::nullopt if there is none. If
/// the code cannot be run to the end, that is a disagreement, too.
std::optional<Disagreement> compareElements(const DeviceCheck &Code,
                                            const KernelClaims &Claims);

/// Checks sub-arrays of dynamic shared memory whose layout changes
/// (LayoutClaim::IsPart). Returns the first thread of block 0 that certainly
/// accesses memory outside of the sub-array that its access names; std::nullopt
/// if there is none.
std::optional<Disagreement> compareParts(const DeviceCheck &Code,
                                         const KernelClaims &Claims);

/// Counts the wavefronts of all \p Instances of a kernel with the old and the
/// new layouts, and returns the first array for which \p Promises say something
/// else; std::nullopt if there is none.
std::optional<Disagreement> compareWavefronts(
    const DeviceCheck &Code, llvm::ArrayRef<KernelClaims> Instances,
    llvm::ArrayRef<WavefrontClaim> Promises, const BankMap &Banks);

/// Returns why two variables of \p Claims cannot share bytes as \p InPlace
/// says; std::nullopt if they can.
std::optional<Disagreement> compareInPlace(const DeviceCheck &Code,
                                           const KernelClaims &Claims,
                                           const InPlaceClaim &InPlace);

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_RUNCHECK_H
