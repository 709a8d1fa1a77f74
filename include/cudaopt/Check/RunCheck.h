// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the device code of a kernel, thread by thread, for the launches that
/// are known, and compares the addresses that its threads access with what a
/// plan relies on. What a launch passes and what memory holds is not known; see
/// lib/Check/WarpRun.h for what becomes of it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_CHECK_RUNCHECK_H
#define CUDAOPT_CHECK_RUNCHECK_H

#include "cudaopt/Check/DeviceCheck.h"
#include "cudaopt/Machine/BankMap.h"

#include "llvm/ADT/ArrayRef.h"

namespace cudaopt::check {

/// Returns the thread of a block that accesses another element than Private and
/// Trimmed of \p Claims say; nothing if there is none.
std::optional<Disagreement> compareElements(const DeviceCheck &Code,
                                            const KernelClaims &Claims);

/// Returns the thread of the first block that surely leaves the part of a
/// variable that the source names, if the layout of some part changes; nothing
/// if there is none.
std::optional<Disagreement> compareParts(const DeviceCheck &Code,
                                         const KernelClaims &Claims);

/// Counts the wavefronts of all \p Instances of a kernel, before and after, and
/// returns the first array of which \p Promises say something else; nothing if
/// there is none.
std::optional<Disagreement> compareWavefronts(
    const DeviceCheck &Code, llvm::ArrayRef<KernelClaims> Instances,
    llvm::ArrayRef<WavefrontClaim> Promises, const BankMap &Banks);

/// Returns why two variables of \p Claims are not in place, as \p InPlace says;
/// nothing if they are.
std::optional<Disagreement> compareInPlace(const DeviceCheck &Code,
                                           const KernelClaims &Claims,
                                           const InPlaceClaim &InPlace);

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_RUNCHECK_H
