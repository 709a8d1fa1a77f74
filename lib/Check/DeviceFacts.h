// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What is known of the device code of a file, and how it is compared with
/// claims: by the places that debug information gives.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_DEVICEFACTS_H
#define CUDAOPT_LIB_CHECK_DEVICEFACTS_H

#include "WarpRun.h"

#include "cudaopt/Check/DeviceCheck.h"

namespace cudaopt::check {

struct DeviceCheck::Facts {
  Facts(const llvm::Module &M, SymbolTable Symbols, FoundUses Uses)
      : M(M), Symbols(std::move(Symbols)), Uses(std::move(Uses)),
        Runs(M, this->Symbols, this->Uses) {}

  const llvm::Module &M;
  SymbolTable Symbols;
  FoundUses Uses;
  RunFacts Runs;
};

/// The code of the kernel of \p Claims; null if there is none.
const llvm::Function *findKernel(const llvm::Module &M,
                                 const KernelClaims &Claims);

/// Returns which variable of \p Claims \p V is, if it is one.
std::optional<unsigned> findVariable(const KernelClaims &Claims,
                                     const SymbolTable &Symbols,
                                     const llvm::GlobalVariable &V);

/// The same of all variables, by their number in runs.
std::vector<std::optional<unsigned>>
findVariables(const KernelClaims &Claims, const DeviceCheck::Facts &Facts);

/// True if \p C may be the claim of an access of \p Kind to \p Width bytes (0:
/// not known) that debug information places at \p Points.
bool fits(UseKind Kind, uint64_t Width, llvm::ArrayRef<SourcePoint> Points,
          const AccessClaim &C);
/// The same without kind and width.
bool isNear(llvm::ArrayRef<SourcePoint> Points, const AccessClaim &C);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_DEVICEFACTS_H
