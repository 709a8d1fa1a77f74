// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counts the work of a kernel: runs its optimized device code for one block,
/// warp by warp, and adds up what each executed instruction costs. Arguments of
/// the launch are made up, and the contents of memory are unknown, so that the
/// numbers are a guess unless the code depends on neither.
///
///   prepareForOptimization(M, Symbols);
///   ...                               // LLVM's pipeline
///   std::optional<KernelWork> Work = countWork(M, Symbols, Launch, Banks);
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_CHECK_WORKCOUNT_H
#define CUDAOPT_CHECK_WORKCOUNT_H

#include "cudaopt/Check/DeviceCheck.h"
#include "cudaopt/Machine/BankMap.h"
#include "cudaopt/Machine/KernelWork.h"

#include "llvm/ADT/StringRef.h"

namespace cudaopt::check {

/// Makes \p M a module that LLVM can optimize as nvcc does: keeps the kernel
/// \p Symbol and what it may call, replaces functions of the toolkit that read
/// special registers by intrinsics, and says of those that compute numbers that
/// they do nothing else. Returns false if there is no such kernel.
bool prepareForOptimization(llvm::Module &M, const SymbolTable &Symbols,
                            llvm::StringRef Symbol);

/// Counts the work of a block of the kernel \p Symbol. \p M is changed:
/// accesses are merged as nvcc merges them. Returns std::nullopt if the code
/// cannot be run, or takes too long.
std::optional<KernelWork> countWork(llvm::Module &M, const SymbolTable &Symbols,
                                    llvm::StringRef Symbol,
                                    const LaunchClaim &Launch,
                                    const BankMap &Banks);

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_WORKCOUNT_H
