// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Accesses to shared memory that ptxas issues as one wider request.
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

/// Returns how loads and stores of \p F, which is optimized, are issued if not
/// by themselves. \p Addresses tells where the shared variables lie.
llvm::DenseMap<const llvm::Instruction *, IssuedRequest> findMergedRequests(
    llvm::Function &F,
    const llvm::DenseMap<const llvm::GlobalValue *, SharedAddr> &Addresses);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_REQUESTMERGER_H
