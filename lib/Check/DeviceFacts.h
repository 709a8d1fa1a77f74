// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What is known of the device code of a file, and how accesses in the code are
/// matched with claims: by kind, width, and the source positions that debug
/// information gives.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_DEVICEFACTS_H
#define CUDAOPT_LIB_CHECK_DEVICEFACTS_H

#include "WarpRun.h"

#include "cudaopt/Check/DeviceCheck.h"

namespace cudaopt::check {

/// The results of analysing a module, which all checks of its kernels share.
struct DeviceCheck::Facts {
  Facts(const llvm::Module &M, SymbolTable Symbols, FoundUses Uses)
      : M(M), Symbols(std::move(Symbols)), Uses(std::move(Uses)),
        Runs(M, this->Symbols, this->Uses) {}

  const llvm::Module &M;
  SymbolTable Symbols;
  FoundUses Uses;
  RunFacts Runs;
};

/// Returns the function that \p Claims are about; null if the module does not
/// define it.
const llvm::Function *findKernel(const llvm::Module &M,
                                 const KernelClaims &Claims);

/// Returns the index in \p Claims.Variables of the variable that \p V is;
/// std::nullopt if it is none of them.
std::optional<unsigned> findVariable(const KernelClaims &Claims,
                                     const SymbolTable &Symbols,
                                     const llvm::GlobalVariable &V);

/// Returns the same for all shared variables of the module, by their number in
/// RunFacts::Variables.
std::vector<std::optional<unsigned>>
findVariables(const KernelClaims &Claims, const DeviceCheck::Facts &Facts);

/// Returns true if \p C may explain an access of \p Kind to \p Width bytes (0
/// if that is not known) that debug information places at \p Points.
bool fits(UseKind Kind, uint64_t Width, llvm::ArrayRef<SourcePoint> Points,
          const AccessClaim &C);
/// Returns true if \p C is about one of the positions \p Points.
bool isNear(llvm::ArrayRef<SourcePoint> Points, const AccessClaim &C);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_DEVICEFACTS_H
