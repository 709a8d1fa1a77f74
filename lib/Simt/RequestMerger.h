// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Predicts which accesses to shared memory ptxas merges into one wider
/// request.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_REQUESTMERGER_H
#define CUDAOPT_LIB_SIMT_REQUESTMERGER_H

#include "cudaopt/Simt/Program.h"

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class GlobalValue;
class Instruction;
} // namespace llvm

namespace cudaopt::simt {

/// Returns the loads and stores of \p F that are not issued by themselves, with
/// how they are issued. \p F must be optimized already. \p Addresses are the
/// addresses of the shared variables.
llvm::DenseMap<const llvm::Instruction *, IssuedRequest> findMergedRequests(
    llvm::Function &F,
    const llvm::DenseMap<const llvm::GlobalValue *, SharedAddr> &Addresses);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_REQUESTMERGER_H
