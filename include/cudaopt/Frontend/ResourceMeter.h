// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What nvcc makes of kernels, before and after a rewrite: --verify-resources.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_RESOURCEMETER_H
#define CUDAOPT_FRONTEND_RESOURCEMETER_H

#include "cudaopt/Frontend/CommandLine.h"
#include "cudaopt/Report/Report.h"

#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <string>

namespace cudaopt {

/// By mangled name.
using ResourceTable = std::map<std::string, KernelResources>;

/// Compiles the main file with the text that the map holds for its real path.
/// Fails if there is no nvcc, if it refuses, or if the map has other files.
using ResourceMeter = std::function<llvm::Expected<ResourceTable>(
    const std::map<std::string, std::string> &Texts)>;

/// The meter that runs nvcc on \p In for the GPU \p Arch ("sm_90").
ResourceMeter createResourceMeter(const Input &In, llvm::StringRef Arch);

/// What gets worse for \p K, in words; empty if nothing does: more spills, or
/// fewer blocks on a multiprocessor.
std::string findLoss(const BeforeAfter<KernelResources> &R, const Kernel &K,
                     const Target &T);

/// True if more blocks of some instance of \p K fit on a multiprocessor than
/// before, as registers and shared memory allow.
bool fitsMoreBlocks(const BeforeAfter<KernelResources> &R, const Kernel &K,
                    const Target &T);

/// Reads what `nvcc --resource-usage` prints.
ResourceTable readResourceUsage(llvm::StringRef Output);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_RESOURCEMETER_H
